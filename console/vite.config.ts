import { builtPage } from '../scripts/built-page.mjs';

export default builtPage({ folder: 'console', base: '/console/' });
