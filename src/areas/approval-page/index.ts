export { approvalPageCommand, approvalPageUsage } from './command.ts';
export { approvalPageRoutes } from './page.ts';
export { approvalLinkRoutes } from './routes.ts';
export { approvalPageRules } from './rules.ts';
export { type PageSettings, readPageSettings } from './settings.ts';
export { sealedApprovalPages } from './store.ts';
