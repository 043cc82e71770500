export { expireActions } from './actions/actions.ts';
export { sealedActions } from './actions/actions-store.ts';
export { rewrapAnswers } from './actions/rewrap-answers.ts';
export { sandboxAnswerRoutes } from './answer-page/sandbox-page.ts';
export { runCardFlow } from './cards/run-card-flow.ts';
export { cardForRun, cardUseOfRun } from './cards/run-cards.ts';
export { commerceProfileRoute } from './commerce-profile.ts';
export { attentionOfCheckout, checkoutAttention } from './decisions/attention.ts';
export { selectProjectCheckouts } from './decisions/decisions-store.ts';
export { checkoutsCommand } from './decisions/operator-command.ts';
export { readProjectCheckout } from './decisions/reads.ts';
export { checkoutRules } from './decisions/rules.ts';
export { forgetCheckouts } from './erase.ts';
export {
  type RunnerGateway,
  type RunnerGatewayOptions,
  startRunnerGateway,
} from './gateway/server.ts';
export { liveRoutes, liveStreamRoute } from './live/live-routes.ts';
export { agentCheckoutStatuses } from './machine.ts';
export { moneyView } from './money.ts';
export { agentCheckoutRoutes } from './routes.ts';
export { endStaleRuns } from './runs/runs.ts';
export { createPicturePruner, isPictureKept } from './steps/picture-retention.ts';
export { readStepPicture } from './steps/step-pictures.ts';
export { sealedCheckouts } from './store.ts';
