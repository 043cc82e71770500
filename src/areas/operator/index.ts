export { operatorActionMetrics, performActions } from './actions/perform.ts';
export { consoleRoutes } from './console/routes.ts';
export { operatorsCommand } from './operators/command.ts';
export { inviteOperator } from './operators/operators.ts';
export { pruneSessions, sealedSessions } from './operators/sessions.ts';
export { hasOperators, sealedOperators, selectOperators } from './operators/store.ts';
