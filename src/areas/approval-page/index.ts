export { approvalPageCommand } from './command.ts';
export { approvalPageRoutes } from './page.ts';
export { approvalPageRules } from './rules.ts';
export { readPageSettings } from './settings.ts';
export { sealedApprovalPages } from './store.ts';
