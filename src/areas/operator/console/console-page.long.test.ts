import './console-page.test.ts';

// All that it goes through, in dark and at a phone's width too.
process.env['TEST_VIEWS'] = 'all';
