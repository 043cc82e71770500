import { builtPage } from '../scripts/built-page.mjs';

// Whatever path the interface is served under: the page stands beside its files.
export default builtPage({ folder: 'approve', base: './' });
