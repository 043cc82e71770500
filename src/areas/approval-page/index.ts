export { approvalPageCommand, approvalPageUsage } from './command.ts';
export { approvalPageRoutes } from './page.ts';
export { approvalLinkRoutes } from './routes.ts';
export { sealedApprovalPages } from './store.ts';
