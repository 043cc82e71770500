// Generated from docs/api by `npm run docs`: do not edit.
import type { Answer, Body, CallOptions, Query, Schema, Send, SendPages, VaultAnswer, VaultBody } from './call-types.ts';

/** One method for each operation, named as in the reference. */
export function createCalls(send: Send, sendPages: SendPages) {
  return {
    /** Create a wallet. `POST /2025-06-09/wallets` */
    createWallet: (body: Body<'createWallet'>, call?: CallOptions) => send<Answer<'createWallet'>>('POST', '/2025-06-09/wallets', { body }, call),
    /** Create the wallet of the end user. `POST /2025-06-09/wallets/me` */
    createMyWallet: (body: Body<'createMyWallet'>, call?: CallOptions) => send<Answer<'createMyWallet'>>('POST', '/2025-06-09/wallets/me', { body }, call),
    /** Read a wallet. `GET /2025-06-09/wallets/{walletLocator}` */
    getWallet: (walletLocator: string, call?: CallOptions) => send<Answer<'getWallet'>>('GET', '/2025-06-09/wallets/{walletLocator}', { path: { walletLocator } }, call),
    /** Add a delegated signer. `POST /2025-06-09/wallets/{walletLocator}/signers` */
    createSigner: (walletLocator: string, body: Body<'addSigner'>, call?: CallOptions) => send<Answer<'addSigner'>>('POST', '/2025-06-09/wallets/{walletLocator}/signers', { path: { walletLocator }, body }, call),
    /** Read a delegated signer. `GET /2025-06-09/wallets/{walletLocator}/signers/{signer}` */
    getSigner: (walletLocator: string, signer: string, call?: CallOptions) => send<Answer<'getSigner'>>('GET', '/2025-06-09/wallets/{walletLocator}/signers/{signer}', { path: { walletLocator, signer } }, call),
    /** Remove a delegated signer from a chain. `DELETE /2025-06-09/wallets/{walletLocator}/signers/{signer}` */
    deleteSigner: (walletLocator: string, signer: string, query: Query<'removeSigner'> = {}, call?: CallOptions) => send<Answer<'removeSigner'>>('DELETE', '/2025-06-09/wallets/{walletLocator}/signers/{signer}', { path: { walletLocator, signer }, query }, call),
    /** Create a transaction. `POST /2025-06-09/wallets/{walletLocator}/transactions` */
    createTransaction: (walletLocator: string, body: Body<'createTransaction'>, call?: CallOptions) => send<Answer<'createTransaction'>>('POST', '/2025-06-09/wallets/{walletLocator}/transactions', { path: { walletLocator }, body }, call),
    /** List the transactions of a wallet, newest first. `GET /2025-06-09/wallets/{walletLocator}/transactions` */
    listTransactions: (walletLocator: string, query: Query<'listTransactions'> = {}, call?: CallOptions) => sendPages<Answer<'listTransactions'>, 'transactions'>('GET', '/2025-06-09/wallets/{walletLocator}/transactions', { path: { walletLocator }, query }, 'transactions', 'page', call),
    /** Read a transaction. `GET /2025-06-09/wallets/{walletLocator}/transactions/{transactionId}` */
    getTransaction: (walletLocator: string, transactionId: string, call?: CallOptions) => send<Answer<'getTransaction'>>('GET', '/2025-06-09/wallets/{walletLocator}/transactions/{transactionId}', { path: { walletLocator, transactionId } }, call),
    /** Submit approvals of a transaction. `POST /2025-06-09/wallets/{walletLocator}/transactions/{transactionId}/approvals` */
    submitTransactionApprovals: (walletLocator: string, transactionId: string, body: Body<'submitTransactionApprovals'>, call?: CallOptions) => send<Answer<'submitTransactionApprovals'>>('POST', '/2025-06-09/wallets/{walletLocator}/transactions/{transactionId}/approvals', { path: { walletLocator, transactionId }, body }, call),
    /** Ask for a signature of the wallet. `POST /2025-06-09/wallets/{walletLocator}/signatures` */
    createSignature: (walletLocator: string, body: Body<'createSignature'>, call?: CallOptions) => send<Answer<'createSignature'>>('POST', '/2025-06-09/wallets/{walletLocator}/signatures', { path: { walletLocator }, body }, call),
    /** List the signatures of a wallet, newest first. `GET /2025-06-09/wallets/{walletLocator}/signatures` */
    listSignatures: (walletLocator: string, query: Query<'listSignatures'> = {}, call?: CallOptions) => sendPages<Answer<'listSignatures'>, 'signatures'>('GET', '/2025-06-09/wallets/{walletLocator}/signatures', { path: { walletLocator }, query }, 'signatures', 'page', call),
    /** Read a signature. `GET /2025-06-09/wallets/{walletLocator}/signatures/{signatureId}` */
    getSignature: (walletLocator: string, signatureId: string, call?: CallOptions) => send<Answer<'getSignature'>>('GET', '/2025-06-09/wallets/{walletLocator}/signatures/{signatureId}', { path: { walletLocator, signatureId } }, call),
    /** Submit approvals of a signature. `POST /2025-06-09/wallets/{walletLocator}/signatures/{signatureId}/approvals` */
    submitSignatureApprovals: (walletLocator: string, signatureId: string, body: Body<'submitSignatureApprovals'>, call?: CallOptions) => send<Answer<'submitSignatureApprovals'>>('POST', '/2025-06-09/wallets/{walletLocator}/signatures/{signatureId}/approvals', { path: { walletLocator, signatureId }, body }, call),
    /** Transfer tokens, gas-sponsored. `POST /2025-06-09/wallets/{walletLocator}/tokens/{tokenLocator}/transfers` */
    createTransfer: (walletLocator: string, tokenLocator: string, body: Body<'createTransfer'>, call?: CallOptions) => send<Answer<'createTransfer'>>('POST', '/2025-06-09/wallets/{walletLocator}/tokens/{tokenLocator}/transfers', { path: { walletLocator, tokenLocator }, body }, call),
    /** Read a transfer. `GET /2025-06-09/wallets/{walletLocator}/tokens/{tokenLocator}/transfers/{transactionId}` */
    getTransfer: (walletLocator: string, tokenLocator: string, transactionId: string, call?: CallOptions) => send<Answer<'getTransfer'>>('GET', '/2025-06-09/wallets/{walletLocator}/tokens/{tokenLocator}/transfers/{transactionId}', { path: { walletLocator, tokenLocator, transactionId } }, call),
    /** Send a one-time code to an e-mail or phone signer. `POST /2025-06-09/wallets/{walletLocator}/signers/{signer}/codes` */
    requestSignerCode: (walletLocator: string, signer: string, body: Body<'requestSignerCode'>, call?: CallOptions) => send<Answer<'requestSignerCode'>>('POST', '/2025-06-09/wallets/{walletLocator}/signers/{signer}/codes', { path: { walletLocator, signer }, body }, call),
    /** Sign the message of a pending approval as an e-mail or phone signer. `POST /2025-06-09/wallets/{walletLocator}/signers/{signer}/signatures` */
    signWithSignerCode: (walletLocator: string, signer: string, body: Body<'signWithSignerCode'>, call?: CallOptions) => send<Answer<'signWithSignerCode'>>('POST', '/2025-06-09/wallets/{walletLocator}/signers/{signer}/signatures', { path: { walletLocator, signer }, body }, call),
    /** Make a link to the page on which a signer approves a transaction. `POST /2025-06-09/wallets/{walletLocator}/transactions/{transactionId}/approval-links` */
    createTransactionApprovalLink: (walletLocator: string, transactionId: string, body: Body<'createTransactionApprovalLink'>, call?: CallOptions) => send<Answer<'createTransactionApprovalLink'>>('POST', '/2025-06-09/wallets/{walletLocator}/transactions/{transactionId}/approval-links', { path: { walletLocator, transactionId }, body }, call),
    /** Make a link to the page on which a signer approves a signature. `POST /2025-06-09/wallets/{walletLocator}/signatures/{signatureId}/approval-links` */
    createSignatureApprovalLink: (walletLocator: string, signatureId: string, body: Body<'createSignatureApprovalLink'>, call?: CallOptions) => send<Answer<'createSignatureApprovalLink'>>('POST', '/2025-06-09/wallets/{walletLocator}/signatures/{signatureId}/approval-links', { path: { walletLocator, signatureId }, body }, call),
    /** Read what a wallet holds. `GET /2025-06-09/wallets/{walletLocator}/balances` */
    getWalletBalances: (walletLocator: string, query: Query<'getWalletBalances'>, call?: CallOptions) => send<Schema<'Balances'>>('GET', '/2025-06-09/wallets/{walletLocator}/balances', { path: { walletLocator }, query }, call),
    /** List what a wallet sent and received. `GET /unstable/wallets/{walletLocator}/transfers` */
    listWalletTransfers: (walletLocator: string, query: Query<'listWalletTransfers'>, call?: CallOptions) => sendPages<Answer<'listWalletTransfers'>, 'data'>('GET', '/unstable/wallets/{walletLocator}/transfers', { path: { walletLocator }, query }, 'data', 'cursor', call),
    /** Fund a test wallet with the test stablecoin. `POST /v1-alpha2/wallets/{walletLocator}/balances` */
    fundWallet: (walletLocator: string, body: Body<'fundWallet'>, call?: CallOptions) => send<Answer<'fundWallet'>>('POST', '/v1-alpha2/wallets/{walletLocator}/balances', { path: { walletLocator }, body }, call),
    /** List the collectibles a wallet holds. `GET /2025-06-09/wallets/{walletLocator}/nfts` */
    listWalletNfts: (walletLocator: string, query: Query<'listWalletNfts'> = {}, call?: CallOptions) => sendPages<Answer<'listWalletNfts'>, ''>('GET', '/2025-06-09/wallets/{walletLocator}/nfts', { path: { walletLocator }, query }, '', 'page', call),
    /** Create an order. `POST /2022-06-09/orders` */
    createOrder: (body: Body<'createOrder'>, call?: CallOptions) => send<Answer<'createOrder'>>('POST', '/2022-06-09/orders', { body }, call),
    /** List the project's orders. `GET /2022-06-09/orders` */
    listOrders: (query: Query<'listOrders'> = {}, call?: CallOptions) => sendPages<Answer<'listOrders'>, 'data'>('GET', '/2022-06-09/orders', { query }, 'data', 'cursor', call),
    /** Read an order. `GET /2022-06-09/orders/{orderId}` */
    getOrder: (orderId: string, call?: CallOptions) => send<Answer<'getOrder'>>('GET', '/2022-06-09/orders/{orderId}', { path: { orderId } }, call),
    /** Change recipient, payment or locale of an unpaid order. `PATCH /2022-06-09/orders/{orderId}` */
    updateOrder: (orderId: string, body: Body<'updateOrder'>, call?: CallOptions) => send<Answer<'updateOrder'>>('PATCH', '/2022-06-09/orders/{orderId}', { path: { orderId }, body }, call),
    /** Tell the transaction in which the deposit was made. `POST /2022-06-09/orders/{orderId}/payment` */
    postOrderPayment: (orderId: string, body: Body<'postOrderPayment'>, call?: CallOptions) => send<Answer<'postOrderPayment'>>('POST', '/2022-06-09/orders/{orderId}/payment', { path: { orderId }, body }, call),
    /** Ask for a refund of a delivered line item. `POST /unstable/orders/{orderId}/refunds` */
    requestOrderRefund: (orderId: string, body: Body<'requestOrderRefund'>, call?: CallOptions) => send<Answer<'requestOrderRefund'>>('POST', '/unstable/orders/{orderId}/refunds', { path: { orderId }, body }, call),
    /** Read the refund requests of an order. `GET /unstable/orders/{orderId}/refunds` */
    listOrderRefunds: (orderId: string, query: Query<'listOrderRefunds'> = {}, call?: CallOptions) => send<Answer<'listOrderRefunds'>>('GET', '/unstable/orders/{orderId}/refunds', { path: { orderId }, query }, call),
    /** Where the parcels of an order are. `GET /unstable/orders/{orderId}/tracking` */
    getOrderTracking: (orderId: string, call?: CallOptions) => send<Answer<'getOrderTracking'>>('GET', '/unstable/orders/{orderId}/tracking', { path: { orderId } }, call),
    /** Limits of orders, and what is left of them. `GET /unstable/orders/limits` */
    getOrderLimits: (query: Query<'getOrderLimits'> = {}, call?: CallOptions) => send<Answer<'getOrderLimits'>>('GET', '/unstable/orders/limits', { query }, call),
    /** List the payment methods of a user. `GET /unstable/payment-methods` */
    listPaymentMethods: (query: Query<'listPaymentMethods'> = {}, call?: CallOptions) => sendPages<Answer<'listPaymentMethods'>, 'data'>('GET', '/unstable/payment-methods', { query }, 'data', 'cursor', call),
    /** Read a payment method. `GET /unstable/payment-methods/{paymentMethodId}` */
    getPaymentMethod: (paymentMethodId: string, call?: CallOptions) => send<Answer<'getPaymentMethod'>>('GET', '/unstable/payment-methods/{paymentMethodId}', { path: { paymentMethodId } }, call),
    /** Change billing details or the default. `PATCH /unstable/payment-methods/{paymentMethodId}` */
    updatePaymentMethod: (paymentMethodId: string, body: Body<'updatePaymentMethod'>, call?: CallOptions) => send<Answer<'updatePaymentMethod'>>('PATCH', '/unstable/payment-methods/{paymentMethodId}', { path: { paymentMethodId }, body }, call),
    /** Delete a payment method. `DELETE /unstable/payment-methods/{paymentMethodId}` */
    deletePaymentMethod: (paymentMethodId: string, call?: CallOptions) => send<void>('DELETE', '/unstable/payment-methods/{paymentMethodId}', { path: { paymentMethodId } }, call),
    /** Read a user. `GET /2025-06-09/users/{userLocator}` */
    getUser: (userLocator: string, call?: CallOptions) => send<Answer<'getUser'>>('GET', '/2025-06-09/users/{userLocator}', { path: { userLocator } }, call),
    /** Create or replace a user. `PUT /2025-06-09/users/{userLocator}` */
    putUser: (userLocator: string, body: Body<'putUser'>, call?: CallOptions) => send<Answer<'putUser'>>('PUT', '/2025-06-09/users/{userLocator}', { path: { userLocator }, body }, call),
    /** Record an accepted legal document. `PUT /2025-06-09/users/{userLocator}/legal-documents` */
    acceptLegalDocument: (userLocator: string, body: Body<'acceptLegalDocument'>, call?: CallOptions) => send<Answer<'acceptLegalDocument'>>('PUT', '/2025-06-09/users/{userLocator}/legal-documents', { path: { userLocator }, body }, call),
    /** Upload a document. `POST /2025-06-09/users/{userLocator}/documents` */
    uploadDocument: (userLocator: string, body: Body<'uploadDocument'>, call?: CallOptions) => send<Answer<'uploadDocument'>>('POST', '/2025-06-09/users/{userLocator}/documents', { path: { userLocator }, body }, call),
    /** Read what is known of a document. `GET /2025-06-09/users/{userLocator}/documents/{documentId}` */
    getDocument: (userLocator: string, documentId: string, call?: CallOptions) => send<Answer<'getDocument'>>('GET', '/2025-06-09/users/{userLocator}/documents/{documentId}', { path: { userLocator, documentId } }, call),
    /** Start identity verification. `PUT /2025-06-09/users/{userLocator}/identity-verification` */
    startIdentityVerification: (userLocator: string, call?: CallOptions) => send<Answer<'startIdentityVerification'>>('PUT', '/2025-06-09/users/{userLocator}/identity-verification', { path: { userLocator } }, call),
    /** Read the identity verification status. `GET /2025-06-09/users/{userLocator}/identity-verification` */
    getIdentityVerification: (userLocator: string, call?: CallOptions) => send<Answer<'getIdentityVerification'>>('GET', '/2025-06-09/users/{userLocator}/identity-verification', { path: { userLocator } }, call),
    /** Link an external wallet. `PUT /2025-06-09/users/{userLocator}/linked-wallets/{address}` */
    linkWallet: (userLocator: string, address: string, body: Body<'linkWallet'>, call?: CallOptions) => send<Answer<'linkWallet'>>('PUT', '/2025-06-09/users/{userLocator}/linked-wallets/{address}', { path: { userLocator, address }, body }, call),
    /** Read a linked wallet. `GET /2025-06-09/users/{userLocator}/linked-wallets/{address}` */
    getLinkedWallet: (userLocator: string, address: string, call?: CallOptions) => send<Answer<'getLinkedWallet'>>('GET', '/2025-06-09/users/{userLocator}/linked-wallets/{address}', { path: { userLocator, address } }, call),
    /** List the ledger entries of an order. `GET /unstable/orders/{orderId}/ledger` */
    listOrderLedgerEntries: (orderId: string, query: Query<'listOrderLedgerEntries'> = {}, call?: CallOptions) => sendPages<Answer<'listOrderLedgerEntries'>, 'data'>('GET', '/unstable/orders/{orderId}/ledger', { path: { orderId }, query }, 'data', 'cursor', call),
    /** List accounts with their balances. `GET /unstable/ledger/accounts` */
    listLedgerAccounts: (query: Query<'listLedgerAccounts'> = {}, call?: CallOptions) => sendPages<Answer<'listLedgerAccounts'>, 'data'>('GET', '/unstable/ledger/accounts', { query }, 'data', 'cursor', call),
    /** List the entries of an account. `GET /unstable/ledger/accounts/{account}/entries` */
    listLedgerAccountEntries: (account: string, query: Query<'listLedgerAccountEntries'> = {}, call?: CallOptions) => sendPages<Answer<'listLedgerAccountEntries'>, 'data'>('GET', '/unstable/ledger/accounts/{account}/entries', { path: { account }, query }, 'data', 'cursor', call),
    /** Read the trial balance. `GET /unstable/ledger/trial-balance` */
    getLedgerTrialBalance: (query: Query<'getLedgerTrialBalance'> = {}, call?: CallOptions) => send<Answer<'getLedgerTrialBalance'>>('GET', '/unstable/ledger/trial-balance', { query }, call),
    /** Create a buyer profile. `POST /unstable/agent-checkouts/buyer-profiles` */
    createBuyerProfile: (body: Body<'createBuyerProfile'>, call?: CallOptions) => send<Answer<'createBuyerProfile'>>('POST', '/unstable/agent-checkouts/buyer-profiles', { body }, call),
    /** List the buyer profiles of the user. `GET /unstable/agent-checkouts/buyer-profiles` */
    listBuyerProfiles: (query: Query<'listBuyerProfiles'> = {}, call?: CallOptions) => sendPages<Answer<'listBuyerProfiles'>, 'data'>('GET', '/unstable/agent-checkouts/buyer-profiles', { query }, 'data', 'cursor', call),
    /** Read a buyer profile. `GET /unstable/agent-checkouts/buyer-profiles/{id}` */
    getBuyerProfile: (id: string, call?: CallOptions) => send<Answer<'getBuyerProfile'>>('GET', '/unstable/agent-checkouts/buyer-profiles/{id}', { path: { id } }, call),
    /** Change a buyer profile. `PATCH /unstable/agent-checkouts/buyer-profiles/{id}` */
    updateBuyerProfile: (id: string, body: Body<'updateBuyerProfile'>, call?: CallOptions) => send<Answer<'updateBuyerProfile'>>('PATCH', '/unstable/agent-checkouts/buyer-profiles/{id}', { path: { id }, body }, call),
    /** Delete a buyer profile. `DELETE /unstable/agent-checkouts/buyer-profiles/{id}` */
    deleteBuyerProfile: (id: string, call?: CallOptions) => send<void>('DELETE', '/unstable/agent-checkouts/buyer-profiles/{id}', { path: { id } }, call),
    /** Create the browser profile of the user. `POST /unstable/agent-checkouts/browser-profiles` */
    createBrowserProfile: (body: Body<'createBrowserProfile'> = {}, call?: CallOptions) => send<Answer<'createBrowserProfile'>>('POST', '/unstable/agent-checkouts/browser-profiles', { body }, call),
    /** List the browser profiles of the user. `GET /unstable/agent-checkouts/browser-profiles` */
    listBrowserProfiles: (call?: CallOptions) => send<Answer<'listBrowserProfiles'>>('GET', '/unstable/agent-checkouts/browser-profiles', {  }, call),
    /** Read a browser profile. `GET /unstable/agent-checkouts/browser-profiles/{id}` */
    getBrowserProfile: (id: string, call?: CallOptions) => send<Answer<'getBrowserProfile'>>('GET', '/unstable/agent-checkouts/browser-profiles/{id}', { path: { id } }, call),
    /** Change the label of a browser profile. `PATCH /unstable/agent-checkouts/browser-profiles/{id}` */
    updateBrowserProfile: (id: string, body: Body<'updateBrowserProfile'>, call?: CallOptions) => send<Answer<'updateBrowserProfile'>>('PATCH', '/unstable/agent-checkouts/browser-profiles/{id}', { path: { id }, body }, call),
    /** Delete a browser profile. `DELETE /unstable/agent-checkouts/browser-profiles/{id}` */
    deleteBrowserProfile: (id: string, call?: CallOptions) => send<void>('DELETE', '/unstable/agent-checkouts/browser-profiles/{id}', { path: { id } }, call),
    /** Buy something in a shop. `POST /unstable/agent-checkouts` */
    createAgentCheckout: (body: Body<'createAgentCheckout'>, call?: CallOptions) => send<Answer<'createAgentCheckout'>>('POST', '/unstable/agent-checkouts', { body }, call),
    /** List the checkouts of the user. `GET /unstable/agent-checkouts` */
    listAgentCheckouts: (query: Query<'listAgentCheckouts'> = {}, call?: CallOptions) => sendPages<Answer<'listAgentCheckouts'>, 'data'>('GET', '/unstable/agent-checkouts', { query }, 'data', 'cursor', call),
    /** Read a checkout. `GET /unstable/agent-checkouts/{id}` */
    getAgentCheckout: (id: string, call?: CallOptions) => send<Answer<'getAgentCheckout'>>('GET', '/unstable/agent-checkouts/{id}', { path: { id } }, call),
    /** Cancel a checkout. `DELETE /unstable/agent-checkouts/{id}` */
    cancelAgentCheckout: (id: string, call?: CallOptions) => send<void>('DELETE', '/unstable/agent-checkouts/{id}', { path: { id } }, call),
    /** List what a checkout did. `GET /unstable/agent-checkouts/{id}/steps` */
    listAgentCheckoutSteps: (id: string, query: Query<'listAgentCheckoutSteps'> = {}, call?: CallOptions) => sendPages<Answer<'listAgentCheckoutSteps'>, 'data'>('GET', '/unstable/agent-checkouts/{id}/steps', { path: { id }, query }, 'data', 'cursor', call),
    /** See a step of a checkout. `GET /unstable/agent-checkouts/{id}/steps/{nr}/picture` */
    getAgentCheckoutPicture: (id: string, nr: string, call?: CallOptions) => send<Blob>('GET', '/unstable/agent-checkouts/{id}/steps/{nr}/picture', { path: { id, nr }, as: 'blob' }, call),
    /** Answer what a checkout asks. `POST /unstable/agent-checkouts/{id}/actions/{actionId}` */
    respondToUserAction: (id: string, actionId: string, body: Body<'respondToUserAction'>, call?: CallOptions) => send<Answer<'respondToUserAction'>>('POST', '/unstable/agent-checkouts/{id}/actions/{actionId}', { path: { id, actionId }, body }, call),
    /** Create a webhook endpoint. `POST /unstable/webhooks/endpoints` */
    createWebhookEndpoint: (body: Body<'createWebhookEndpoint'>, call?: CallOptions) => send<Answer<'createWebhookEndpoint'>>('POST', '/unstable/webhooks/endpoints', { body }, call),
    /** List webhook endpoints. `GET /unstable/webhooks/endpoints` */
    listWebhookEndpoints: (query: Query<'listWebhookEndpoints'> = {}, call?: CallOptions) => sendPages<Answer<'listWebhookEndpoints'>, 'endpoints'>('GET', '/unstable/webhooks/endpoints', { query }, 'endpoints', 'cursor', call),
    /** Read a webhook endpoint. `GET /unstable/webhooks/endpoints/{endpointId}` */
    getWebhookEndpoint: (endpointId: string, call?: CallOptions) => send<Answer<'getWebhookEndpoint'>>('GET', '/unstable/webhooks/endpoints/{endpointId}', { path: { endpointId } }, call),
    /** Change, disable or enable a webhook endpoint. `PATCH /unstable/webhooks/endpoints/{endpointId}` */
    updateWebhookEndpoint: (endpointId: string, body: Body<'updateWebhookEndpoint'>, call?: CallOptions) => send<Answer<'updateWebhookEndpoint'>>('PATCH', '/unstable/webhooks/endpoints/{endpointId}', { path: { endpointId }, body }, call),
    /** Delete a webhook endpoint. `DELETE /unstable/webhooks/endpoints/{endpointId}` */
    deleteWebhookEndpoint: (endpointId: string, call?: CallOptions) => send<void>('DELETE', '/unstable/webhooks/endpoints/{endpointId}', { path: { endpointId } }, call),
    /** Give a webhook endpoint a new secret. `POST /unstable/webhooks/endpoints/{endpointId}/rotate-secret` */
    rotateWebhookSecret: (endpointId: string, body: Body<'rotateWebhookSecret'>, call?: CallOptions) => send<Answer<'rotateWebhookSecret'>>('POST', '/unstable/webhooks/endpoints/{endpointId}/rotate-secret', { path: { endpointId }, body }, call),
    /** Send a test event. `POST /unstable/webhooks/endpoints/{endpointId}/test` */
    testWebhookEndpoint: (endpointId: string, call?: CallOptions) => send<Answer<'testWebhookEndpoint'>>('POST', '/unstable/webhooks/endpoints/{endpointId}/test', { path: { endpointId } }, call),
    /** List the deliveries of a webhook endpoint. `GET /unstable/webhooks/endpoints/{endpointId}/deliveries` */
    listWebhookDeliveries: (endpointId: string, query: Query<'listWebhookDeliveries'> = {}, call?: CallOptions) => sendPages<Answer<'listWebhookDeliveries'>, 'deliveries'>('GET', '/unstable/webhooks/endpoints/{endpointId}/deliveries', { path: { endpointId }, query }, 'deliveries', 'cursor', call),
    /** Read a delivery with its attempts. `GET /unstable/webhooks/deliveries/{deliveryId}` */
    getWebhookDelivery: (deliveryId: string, call?: CallOptions) => send<Answer<'getWebhookDelivery'>>('GET', '/unstable/webhooks/deliveries/{deliveryId}', { path: { deliveryId } }, call),
    /** Send a delivery once more. `POST /unstable/webhooks/deliveries/{deliveryId}/resend` */
    resendWebhookDelivery: (deliveryId: string, call?: CallOptions) => send<Answer<'resendWebhookDelivery'>>('POST', '/unstable/webhooks/deliveries/{deliveryId}/resend', { path: { deliveryId } }, call),
    /** Send all events of a time range once more. `POST /unstable/webhooks/endpoints/{endpointId}/replays` */
    createWebhookReplay: (endpointId: string, body: Body<'createWebhookReplay'>, call?: CallOptions) => send<Answer<'createWebhookReplay'>>('POST', '/unstable/webhooks/endpoints/{endpointId}/replays', { path: { endpointId }, body }, call),
    /** List the replays of a webhook endpoint. `GET /unstable/webhooks/endpoints/{endpointId}/replays` */
    listWebhookReplays: (endpointId: string, query: Query<'listWebhookReplays'> = {}, call?: CallOptions) => sendPages<Answer<'listWebhookReplays'>, 'replays'>('GET', '/unstable/webhooks/endpoints/{endpointId}/replays', { path: { endpointId }, query }, 'replays', 'cursor', call),
    /** Read how far a replay is. `GET /unstable/webhooks/endpoints/{endpointId}/replays/{replayId}` */
    getWebhookReplay: (endpointId: string, replayId: string, call?: CallOptions) => send<Answer<'getWebhookReplay'>>('GET', '/unstable/webhooks/endpoints/{endpointId}/replays/{replayId}', { path: { endpointId, replayId } }, call),
    /** Read events, or follow them. `GET /unstable/events` */
    listEvents: (query: Query<'listEvents'> = {}, call?: CallOptions) => sendPages<Answer<'listEvents'>, 'events'>('GET', '/unstable/events', { query }, 'events', 'after', call),
    /** Save a bank account or card. `POST /unstable/payment-methods` */
    createPaymentMethod: (body: VaultBody<'createPaymentMethod'>, call?: CallOptions) => send<VaultAnswer<'createPaymentMethod'>>('POST', '/unstable/payment-methods', { body, host: 'vault' }, call),
  };
}
