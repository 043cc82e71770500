export { formatUnits, shortenAddress } from './amounts.ts';
export { ApprovalFrame, type ApprovalFrameProps } from './approval-frame.tsx';
export {
  type AgentCheckoutState,
  CheckoutDialog,
  type CheckoutDialogProps,
  useAgentCheckout,
} from './checkout.tsx';
export { Onramp, type OnrampInput, type OnrampProps, useOnramp } from './onramp.tsx';
export {
  NotApprovedError,
  type PurserContext,
  PurserProvider,
  type PurserProviderProps,
  Summary,
  usePurser,
} from './provider.tsx';
export { QuestionForm, type QuestionFormProps } from './question.tsx';
export { ReviewSummary } from './review.tsx';
export {
  Approvals,
  TransferForm,
  type TransferFormProps,
  useApprovals,
  useTransfer,
} from './transfer.tsx';
export { type Action, type Loaded, useAction, useLoaded } from './use-action.ts';
export {
  Address,
  Balance,
  type BalanceOptions,
  type BalanceProps,
  useBalance,
  useWallet,
  WalletCard,
  type WalletCardProps,
  type WalletState,
} from './wallet.tsx';
