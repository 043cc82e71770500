// Generated from docs/api/openapi.json by `npm run docs`: do not edit.
export interface paths {
    "/2022-06-09/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the project's orders
         * @description Each filter takes at most 20 comma-separated terms, of which any may fit; every filter that is sent has to fit.
         *
         *     A server-side key. Scope `orders.read`.
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Create an order
         * @description An **onramp** is paid by card and delivers a token (`tokenLocator`), an **offramp** is paid by a deposit and delivers fiat (`currencyLocator`), a **checkout** is paid by a deposit and delivers a token. Items of collections that the project has registered (`collectionLocator`, or `tokenLocator` with a token id) are paid either way, or free.
         *
         *     A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `orders.create`.
         */
        post: operations["createOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2022-06-09/orders/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an order
         * @description With a client-side key send the client secret of the order as `Authorization: <clientSecret>`.
         *
         *     A server-side or a client-side key. A client-side key may come with the JWT of the end user. A server-side key needs the scope `orders.read`.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change recipient, payment or locale of an unpaid order
         * @description Recipient and payment are sent whole and make a new quote. Line items never change.
         *
         *     A server-side or a client-side key. A client-side key may come with the JWT of the end user. A server-side key needs the scope `orders.update`.
         */
        patch: operations["updateOrder"];
        trace?: never;
    };
    "/2022-06-09/orders/{orderId}/payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tell the transaction in which the deposit was made
         * @description Deposits are found without it by their memo; where a memo could not be sent, this says whose it is.
         *
         *     A server-side or a client-side key. A client-side key may come with the JWT of the end user. A server-side key needs the scope `orders.update`.
         */
        post: operations["postOrderPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/users/{userLocator}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user
         * @description A server-side or a client-side key. A client-side key comes with the JWT of the end user. Scope `users.read`.
         */
        get: operations["getUser"];
        /**
         * Create or replace a user
         * @description Not additive: a block that is left out is removed, so send everything again. Accepted legal documents, uploaded documents and locators stay. One person under two locators is one user once a JWT with a verified e-mail or `locators` says so, never because data looks alike.
         *
         *     A server-side or a client-side key. A client-side key comes with the JWT of the end user. Scope `users.create`.
         */
        put: operations["putUser"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/users/{userLocator}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a document
         * @description A JPEG, PNG, WebP or HEIC picture or a PDF of at most 10 MiB. A document of the same type is replaced.
         *
         *     A server-side or a client-side key. A client-side key comes with the JWT of the end user. Scope `users.create`.
         */
        post: operations["uploadDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/users/{userLocator}/documents/{documentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what is known of a document
         * @description Never its content.
         *
         *     A server-side or a client-side key. A client-side key comes with the JWT of the end user. Scope `users.read`.
         */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/users/{userLocator}/identity-verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the identity verification status
         * @description A server-side or a client-side key. A client-side key comes with the JWT of the end user. Scope `users.read`.
         */
        get: operations["getIdentityVerification"];
        /**
         * Start identity verification
         * @description Starts the checks of every open type: what is complete becomes `pending-review` and is decided later, the rest says what it lacks. Poll the list, or wait for the event `users.identity-verification.updated`. Other data than was reviewed makes a type `not-started` again.
         *
         *     A server-side or a client-side key. A client-side key comes with the JWT of the end user. Scope `users.create`.
         */
        put: operations["startIdentityVerification"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/users/{userLocator}/legal-documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Record an accepted legal document
         * @description Creates the user when it is unknown.
         *
         *     A server-side or a client-side key. A client-side key comes with the JWT of the end user. Scope `users.create`.
         */
        put: operations["acceptLegalDocument"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/users/{userLocator}/linked-wallets/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a linked wallet
         * @description A server-side or a client-side key. A client-side key comes with the JWT of the end user. Scope `users.read`.
         */
        get: operations["getLinkedWallet"];
        /**
         * Link an external wallet
         * @description A wallet belongs to one user. Without `proof` the link is unverified and the answer carries `verificationChallenge`, a text for the wallet to sign within 15 minutes; it works once. A claim without proof gives way to another user’s proof: then the 409 carries a `verificationChallenge` for that user. Outside production proofs are optional.
         *
         *     A server-side or a client-side key. A client-side key comes with the JWT of the end user. Scope `users.create`.
         */
        put: operations["linkWallet"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a wallet
         * @description A server-side key. Scope `wallets.create`.
         */
        post: operations["createWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/wallets/{walletLocator}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a wallet
         * @description A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets.read`.
         */
        get: operations["getWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/wallets/{walletLocator}/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a wallet holds
         * @description Without `chains` the answer depends on this wallet alone: it covers the chains on which the wallet has transactions or transfers. `nativeToken` is the native coin of the first chain read, summed over the chains that share it. Native coins of other chains are among `tokens`, asked for or not. A token asked for is answered for every chain read: with zero where the chain does not have it. Symbols that no network here knows are named in `unknownSymbols`, in the list form by an entry without chains; when nothing else was asked for they are refused.
         *
         *     A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets:balance.read`.
         */
        get: operations["getWalletBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/wallets/{walletLocator}/nfts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the collectibles a wallet holds
         * @description A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets:nfts.read`.
         */
        get: operations["listWalletNfts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/wallets/{walletLocator}/signatures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the signatures of a wallet, newest first
         * @description A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets:signatures.read`.
         */
        get: operations["listSignatures"];
        put?: never;
        /**
         * Ask for a signature of the wallet
         * @description A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets:signatures.create`.
         */
        post: operations["createSignature"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/wallets/{walletLocator}/signatures/{signatureId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a signature
         * @description A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets:signatures.read`.
         */
        get: operations["getSignature"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/wallets/{walletLocator}/signatures/{signatureId}/approval-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link to the page on which a signer approves a signature
         * @description A page of this service, for the person behind one signer: what is asked of them in words, the hash computed in their own
         *     browser, and two buttons. It is for this object and this signer alone, and ends with `expiresAt` or with the approval window, whatever is sooner.
         *     Nobody approves by having the link: the signer's passkey, wallet or code does. See the guide *The approval page*.
         *
         *     A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets:signatures.create`.
         */
        post: operations["createSignatureApprovalLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/wallets/{walletLocator}/signatures/{signatureId}/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit approvals of a signature
         * @description A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets:signatures.create`.
         */
        post: operations["submitSignatureApprovals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/wallets/{walletLocator}/signers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a delegated signer
         * @description Registers a signer that may act for the wallet on one chain. A recovery signer approves: by default a signature request (`chains[chain].id`), with `deployImmediately` a transaction; once approved it is sent to the chain, which enforces `expiresAt` and `scopes`. Adding a signer anew with other settings replaces them. An api-key admin signer approves by itself.
         *
         *     A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets.create`.
         */
        post: operations["addSigner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/wallets/{walletLocator}/signers/{signer}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delegated signer
         * @description A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets.read`.
         */
        get: operations["getSigner"];
        put?: never;
        post?: never;
        /**
         * Remove a delegated signer from a chain
         * @description Starts a transaction that a recovery signer approves. The signer stays until it has succeeded.
         *
         *     A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets.create`.
         */
        delete: operations["removeSigner"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/wallets/{walletLocator}/signers/{signer}/codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a one-time code to an e-mail or phone signer
         * @description Only while an approval of this signer is pending: `message` names it. The code is bound to `devicePublicKey`, ends in ten
         *     minutes and takes five tries. A new code ends an earlier one of the same signer and device.
         *
         *     At most five codes per signer and twenty per wallet in an hour.
         *
         *     A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets:transactions.sign`.
         */
        post: operations["requestSignerCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/wallets/{walletLocator}/signers/{signer}/signatures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign the message of a pending approval as an e-mail or phone signer
         * @description The signature is posted as an approval afterwards. With the right `code` a session of ten minutes begins, in which the device
         *     signs further pending approvals of this signer in this wallet without a code.
         *
         *     `deviceSignature` is ECDSA P-256 with SHA-256 over these lines, joined by a line feed (U+000A), none at the end:
         *     `purser signer request 1`; the wallet's `address`; the signer's locator in normalised form; `codeId`; `code`, or nothing where none is sent;
         *     `nonce`; the SHA-256 of `message` in lower-case hexadecimal.
         *
         *     A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets:transactions.sign`.
         */
        post: operations["signWithSignerCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/wallets/{walletLocator}/tokens/{tokenLocator}/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transfer tokens, gas-sponsored
         * @description A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets:transactions.create`.
         */
        post: operations["createTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/wallets/{walletLocator}/tokens/{tokenLocator}/transfers/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a transfer
         * @description A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets:transactions.read`.
         */
        get: operations["getTransfer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/wallets/{walletLocator}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the transactions of a wallet, newest first
         * @description A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets:transactions.read`.
         */
        get: operations["listTransactions"];
        put?: never;
        /**
         * Create a transaction
         * @description A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets:transactions.create`.
         */
        post: operations["createTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/wallets/{walletLocator}/transactions/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a transaction
         * @description A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets:transactions.read`.
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/wallets/{walletLocator}/transactions/{transactionId}/approval-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link to the page on which a signer approves a transaction
         * @description A page of this service, for the person behind one signer: what is asked of them in words, the hash computed in their own
         *     browser, and two buttons. It is for this object and this signer alone, and ends with `expiresAt` or with the approval window, whatever is sooner.
         *     Nobody approves by having the link: the signer's passkey, wallet or code does. See the guide *The approval page*.
         *
         *     A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets:transactions.sign`.
         */
        post: operations["createTransactionApprovalLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/wallets/{walletLocator}/transactions/{transactionId}/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit approvals of a transaction
         * @description A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets:transactions.sign`.
         */
        post: operations["submitTransactionApprovals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/2025-06-09/wallets/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the wallet of the end user
         * @description A client-side key. A client-side key comes with the JWT of the end user. Scope `wallets.create`.
         */
        post: operations["createMyWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/agent-checkouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the checkouts of the user
         * @description A client-side key. A client-side key comes with the JWT of the end user. Scope `agent-checkouts.read`.
         */
        get: operations["listAgentCheckouts"];
        put?: never;
        /**
         * Buy something in a shop
         * @description Queues a run of a browser that buys the product at `target.url` for at most `constraints.maxCost`. Poll the checkout, or listen to `agent-checkouts.updated`; answer what it asks as `pendingUserAction`. One user has at most 20 checkouts that are not over, unless the operator says otherwise; one more is refused with 429.
         *
         *     A client-side key. A client-side key comes with the JWT of the end user. Scope `agent-checkouts.create`.
         */
        post: operations["createAgentCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/agent-checkouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a checkout
         * @description A client-side key. A client-side key comes with the JWT of the end user. Scope `agent-checkouts.read`.
         */
        get: operations["getAgentCheckout"];
        put?: never;
        post?: never;
        /**
         * Cancel a checkout
         * @description It stops at its next safe place, which a later read shows. Once the order may have been placed it ends by what the shop says.
         *
         *     A client-side key. A client-side key comes with the JWT of the end user. Scope `agent-checkouts.cancel`.
         */
        delete: operations["cancelAgentCheckout"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/agent-checkouts/{id}/actions/{actionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer what a checkout asks
         * @description Once: the same answer again gets the same acknowledgement, another one 409. Afterwards poll the checkout: more may be asked.
         *
         *     A client-side key. A client-side key comes with the JWT of the end user. Scope `agent-checkouts.update`.
         */
        post: operations["respondToUserAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/agent-checkouts/{id}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a checkout did
         * @description Beyond the steps, pictures of the pages with secrets hidden, for as long as the operator keeps them.
         *
         *     A client-side key. A client-side key comes with the JWT of the end user. Scope `agent-checkouts.read`.
         */
        get: operations["listAgentCheckoutSteps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/agent-checkouts/{id}/steps/{nr}/picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See a step of a checkout
         * @description A client-side key. A client-side key comes with the JWT of the end user. Scope `agent-checkouts.read`.
         */
        get: operations["getAgentCheckoutPicture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/agent-checkouts/browser-profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the browser profiles of the user
         * @description A client-side key. A client-side key comes with the JWT of the end user. Scope `agent-checkouts.browser-profiles.read`.
         */
        get: operations["listBrowserProfiles"];
        put?: never;
        /**
         * Create the browser profile of the user
         * @description Keeps the merchant logins of the user from one checkout to the next. A user has one at most.
         *
         *     A client-side key. A client-side key comes with the JWT of the end user. Scope `agent-checkouts.browser-profiles.create`.
         */
        post: operations["createBrowserProfile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/agent-checkouts/browser-profiles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a browser profile
         * @description A client-side key. A client-side key comes with the JWT of the end user. Scope `agent-checkouts.browser-profiles.read`.
         */
        get: operations["getBrowserProfile"];
        put?: never;
        post?: never;
        /**
         * Delete a browser profile
         * @description Its logins are erased once the checkouts that run with it are over; what they learn is dropped. It cannot be undone. With 503 nothing has changed: repeat it.
         *
         *     A client-side key. A client-side key comes with the JWT of the end user. Scope `agent-checkouts.browser-profiles.delete`.
         */
        delete: operations["deleteBrowserProfile"];
        options?: never;
        head?: never;
        /**
         * Change the label of a browser profile
         * @description A client-side key. A client-side key comes with the JWT of the end user. Scope `agent-checkouts.browser-profiles.update`.
         */
        patch: operations["updateBrowserProfile"];
        trace?: never;
    };
    "/unstable/agent-checkouts/buyer-profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the buyer profiles of the user
         * @description A client-side key. A client-side key comes with the JWT of the end user. Scope `agent-checkouts.buyer-profiles.read`.
         */
        get: operations["listBuyerProfiles"];
        put?: never;
        /**
         * Create a buyer profile
         * @description Who buys and where to. Checkouts that name it do not ask the user for this. It holds no payment data.
         *
         *     A client-side key. A client-side key comes with the JWT of the end user. Scope `agent-checkouts.buyer-profiles.create`.
         */
        post: operations["createBuyerProfile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/agent-checkouts/buyer-profiles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a buyer profile
         * @description A client-side key. A client-side key comes with the JWT of the end user. Scope `agent-checkouts.buyer-profiles.read`.
         */
        get: operations["getBuyerProfile"];
        put?: never;
        post?: never;
        /**
         * Delete a buyer profile
         * @description A client-side key. A client-side key comes with the JWT of the end user. Scope `agent-checkouts.buyer-profiles.delete`.
         */
        delete: operations["deleteBuyerProfile"];
        options?: never;
        head?: never;
        /**
         * Change a buyer profile
         * @description Any subset of the fields; those of `name`, `contact` and `shipping` one by one. `null` clears what may be null.
         *
         *     A client-side key. A client-side key comes with the JWT of the end user. Scope `agent-checkouts.buyer-profiles.update`.
         */
        patch: operations["updateBuyerProfile"];
        trace?: never;
    };
    "/unstable/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read events, or follow them
         * @description Everything that webhooks carry, in order, for 30 days. With `Accept: text/event-stream` the answer does not end:
         *     server-sent events whose `id` is the position, so that a reader that was cut off goes on with `Last-Event-ID`, with a comment as
         *     heartbeat while nothing happens.
         *
         *     A server-side key. Scope `webhooks.read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/ledger/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List accounts with their balances
         * @description By account and asset. With `at`, accounts that were opened later show 0.
         *
         *     A server-side key. Scope `orders.read`.
         */
        get: operations["listLedgerAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/ledger/accounts/{account}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the entries of an account
         * @description Newest first, each with all its postings. An account that nothing was posted to has none.
         *
         *     A server-side key. Scope `orders.read`.
         */
        get: operations["listLedgerAccountEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/ledger/trial-balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the trial balance
         * @description Per asset: debits and credits, which are equal, and the accounts behind them.
         *
         *     A server-side key. Scope `orders.read`.
         */
        get: operations["getLedgerTrialBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/orders/{orderId}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ledger entries of an order
         * @description In the order in which they were recorded. An order that moved no money has none.
         *
         *     A server-side key. Scope `orders.read`.
         */
        get: operations["listOrderLedgerEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/orders/{orderId}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the refund requests of an order
         * @description A server-side key. Scope `orders.read`.
         */
        get: operations["listOrderRefunds"];
        put?: never;
        /**
         * Ask for a refund of a delivered line item
         * @description A server-side key. Scope `orders.update`.
         */
        post: operations["requestOrderRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/orders/{orderId}/tracking": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where the parcels of an order are
         * @description Tokens and money have no carrier: the list is empty until they are delivered.
         *
         *     A server-side key. Scope `orders.read`.
         */
        get: operations["getOrderTracking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/orders/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Limits of orders, and what is left of them
         * @description A server-side key. Scope `orders.read`.
         */
        get: operations["getOrderLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/payment-methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the payment methods of a user
         * @description A server-side or a client-side key. A client-side key comes with the JWT of the end user. A server-side key needs the scope `payment-methods`.
         */
        get: operations["listPaymentMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/payment-methods/{paymentMethodId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment method
         * @description A server-side or a client-side key. A client-side key comes with the JWT of the end user. A server-side key needs the scope `payment-methods`.
         */
        get: operations["getPaymentMethod"];
        put?: never;
        post?: never;
        /**
         * Delete a payment method
         * @description It cannot be used or read any more; its sealed record is kept for compliance. The oldest other method of the user becomes the default.
         *
         *     A server-side or a client-side key. A client-side key comes with the JWT of the end user. A server-side key needs the scope `payment-methods`.
         */
        delete: operations["deletePaymentMethod"];
        options?: never;
        head?: never;
        /**
         * Change billing details or the default
         * @description A server-side or a client-side key. A client-side key comes with the JWT of the end user. A server-side key needs the scope `payment-methods`.
         */
        patch: operations["updatePaymentMethod"];
        trace?: never;
    };
    "/unstable/wallets/{walletLocator}/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a wallet sent and received
         * @description A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets.read`.
         */
        get: operations["listWalletTransfers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/webhooks/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery with its attempts
         * @description A server-side key. Scope `webhooks.read`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/webhooks/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery once more
         * @description One that is `delivered` or `failed` is `pending` again, with all its attempts before it and the same `webhook-id`. Its `attempts` list goes on, its `attemptCount` begins anew.
         *
         *     A server-side key. Scope `webhooks.update`.
         */
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/webhooks/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description A server-side key. Scope `webhooks.read`.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description The secret verifies what arrives (Standard Webhooks). It is in this answer only; whoever loses it rotates it.
         *
         *     A server-side key. Scope `webhooks.create`.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/webhooks/endpoints/{endpointId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook endpoint
         * @description A server-side key. Scope `webhooks.read`.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description With its secrets and its deliveries; nothing is sent to it any more.
         *
         *     A server-side key. Scope `webhooks.delete`.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change, disable or enable a webhook endpoint
         * @description A disabled endpoint gets nothing. Enabled again it goes on with what was pending; a replay brings what happened meanwhile.
         *
         *     A server-side key. Scope `webhooks.update`.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/unstable/webhooks/endpoints/{endpointId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook endpoint
         * @description A server-side key. Scope `webhooks.read`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/webhooks/endpoints/{endpointId}/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the replays of a webhook endpoint
         * @description A server-side key. Scope `webhooks.read`.
         */
        get: operations["listWebhookReplays"];
        put?: never;
        /**
         * Send all events of a time range once more
         * @description In order, with the ids they had; also those that the endpoint never got. Events are kept for 30 days.
         *
         *     A server-side key. Scope `webhooks.update`.
         */
        post: operations["createWebhookReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/webhooks/endpoints/{endpointId}/replays/{replayId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how far a replay is
         * @description A server-side key. Scope `webhooks.read`.
         */
        get: operations["getWebhookReplay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/webhooks/endpoints/{endpointId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook endpoint a new secret
         * @description Until the old secret ends, what is sent carries a signature by each.
         *
         *     A server-side key. Scope `webhooks.update`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unstable/webhooks/endpoints/{endpointId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description An event `webhooks.test`, whatever types the endpoint takes.
         *
         *     A server-side key. Scope `webhooks.update`.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1-alpha2/wallets/{walletLocator}/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fund a test wallet with the test stablecoin
         * @description A server-side or a client-side key. A client-side key may come with the JWT of the end user. Scope `wallets.fund`.
         */
        post: operations["fundWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "agent-checkouts.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An agent checkout moved
         * @description Signed as [Standard Webhooks](https://www.standardwebhooks.com) say, in the headers `webhook-id`, `webhook-timestamp` and
         *     `webhook-signature`. An answer of 2xx within 15 seconds is the acknowledgement; else it is sent again, eight times in all.
         */
        post: operations["agent-checkouts.updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "orders.delivery.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An order was delivered
         * @description Signed as [Standard Webhooks](https://www.standardwebhooks.com) say, in the headers `webhook-id`, `webhook-timestamp` and
         *     `webhook-signature`. An answer of 2xx within 15 seconds is the acknowledgement; else it is sent again, eight times in all.
         */
        post: operations["orders.delivery.completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "orders.delivery.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The delivery of an order failed
         * @description Signed as [Standard Webhooks](https://www.standardwebhooks.com) say, in the headers `webhook-id`, `webhook-timestamp` and
         *     `webhook-signature`. An answer of 2xx within 15 seconds is the acknowledgement; else it is sent again, eight times in all.
         */
        post: operations["orders.delivery.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "orders.delivery.initiated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The delivery of an order began
         * @description Signed as [Standard Webhooks](https://www.standardwebhooks.com) say, in the headers `webhook-id`, `webhook-timestamp` and
         *     `webhook-signature`. An answer of 2xx within 15 seconds is the acknowledgement; else it is sent again, eight times in all.
         */
        post: operations["orders.delivery.initiated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "orders.payment.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The payment of an order failed
         * @description Signed as [Standard Webhooks](https://www.standardwebhooks.com) say, in the headers `webhook-id`, `webhook-timestamp` and
         *     `webhook-signature`. An answer of 2xx within 15 seconds is the acknowledgement; else it is sent again, eight times in all.
         */
        post: operations["orders.payment.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "orders.payment.refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The payment of an order went back
         * @description Signed as [Standard Webhooks](https://www.standardwebhooks.com) say, in the headers `webhook-id`, `webhook-timestamp` and
         *     `webhook-signature`. An answer of 2xx within 15 seconds is the acknowledgement; else it is sent again, eight times in all.
         */
        post: operations["orders.payment.refunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "orders.payment.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An order was paid
         * @description Signed as [Standard Webhooks](https://www.standardwebhooks.com) say, in the headers `webhook-id`, `webhook-timestamp` and
         *     `webhook-signature`. An answer of 2xx within 15 seconds is the acknowledgement; else it is sent again, eight times in all.
         */
        post: operations["orders.payment.succeeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "orders.quote.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An order was priced
         * @description Signed as [Standard Webhooks](https://www.standardwebhooks.com) say, in the headers `webhook-id`, `webhook-timestamp` and
         *     `webhook-signature`. An answer of 2xx within 15 seconds is the acknowledgement; else it is sent again, eight times in all.
         */
        post: operations["orders.quote.created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "orders.quote.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An order was priced again
         * @description Signed as [Standard Webhooks](https://www.standardwebhooks.com) say, in the headers `webhook-id`, `webhook-timestamp` and
         *     `webhook-signature`. An answer of 2xx within 15 seconds is the acknowledgement; else it is sent again, eight times in all.
         */
        post: operations["orders.quote.updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "users.identity-verification.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user's eligibility changed
         * @description Signed as [Standard Webhooks](https://www.standardwebhooks.com) say, in the headers `webhook-id`, `webhook-timestamp` and
         *     `webhook-signature`. An answer of 2xx within 15 seconds is the acknowledgement; else it is sent again, eight times in all.
         */
        post: operations["users.identity-verification.updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallets.signer.exported": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A signer was exported
         * @description Never sent by this service, which lets no key out. Endpoints may ask for it, so that those made for the interface need no change.
         *
         *     Signed as [Standard Webhooks](https://www.standardwebhooks.com) say, in the headers `webhook-id`, `webhook-timestamp` and
         *     `webhook-signature`. An answer of 2xx within 15 seconds is the acknowledgement; else it is sent again, eight times in all.
         */
        post: operations["wallets.signer.exported"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallets.transfer.in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A wallet received
         * @description Signed as [Standard Webhooks](https://www.standardwebhooks.com) say, in the headers `webhook-id`, `webhook-timestamp` and
         *     `webhook-signature`. An answer of 2xx within 15 seconds is the acknowledgement; else it is sent again, eight times in all.
         */
        post: operations["wallets.transfer.in"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallets.transfer.out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A wallet sent: it succeeded or failed
         * @description Signed as [Standard Webhooks](https://www.standardwebhooks.com) say, in the headers `webhook-id`, `webhook-timestamp` and
         *     `webhook-signature`. An answer of 2xx within 15 seconds is the acknowledgement; else it is sent again, eight times in all.
         */
        post: operations["wallets.transfer.out"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        ActivityPage: {
            data: components["schemas"]["TransferEvent"][];
            nextCursor?: string;
            previousCursor?: string;
        };
        AddSignerBody: {
            /** @description Locator of the recovery method; only where the wallet has several. */
            approver?: string | ({
                locator: string;
            } & {
                [key: string]: unknown;
            });
            /** @description Required for evm wallets, ignored for others. */
            chain?: string;
            /** @description False: a signature request registers the signer. True: a transaction does. Both are sent to the chain once approved. */
            deployImmediately?: boolean;
            /** Format: date-time */
            expiresAt?: string;
            scopes?: components["schemas"]["SignerScope"][];
            /** @description A locator, or an object; objects for passkey and quorum. A device is named `device:<base64>` of its public key: 65 bytes, 04 and the coordinates x and y (SEC 1, uncompressed); other usual forms of the key are understood too. */
            signer: string | components["schemas"]["DelegatedSignerInput"];
        };
        /** @description A purchase that an agent makes in a shop. `pendingUserAction` is there only while it waits for the user. */
        AgentCheckout: {
            browser?: {
                embedUrl?: string;
                permissions?: string[];
            } & {
                [key: string]: unknown;
            };
            constraints: {
                maxCost: {
                    amount: string;
                    currency: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            createdAt: string;
            failure?: {
                failedAt?: string;
                message?: string;
                /** @enum {string} */
                reason: "max_cost_exceeded" | "user_cancelled" | "user_action_expired" | "automation_failed";
            } & {
                [key: string]: unknown;
            };
            /** Format: uuid */
            id: string;
            metadata?: {
                [key: string]: unknown;
            };
            pendingUserAction?: {
                expiresAt?: string;
                /** Format: uuid */
                id: string;
                /** @description What is asked: `option-choice`, `approve-purchase`, … */
                kind?: string;
                message: string;
                responseSchema: {
                    [key: string]: unknown;
                };
                /** @description Where the user answers it: a page of the app (setting `CHECKOUT_PAGE_URL`). */
                url?: string;
            } & {
                [key: string]: unknown;
            };
            progressItems: ({
                createdAt: string;
                message?: string;
                title?: string;
                type: string;
            } & {
                [key: string]: unknown;
            })[];
            receipt?: {
                capturedAt?: string;
                evidence?: {
                    confirmationText?: string;
                    confirmationUrl?: string;
                    /** @description Of the last picture of the run, as hex. */
                    screenshotSha256?: string;
                } & {
                    [key: string]: unknown;
                };
                merchantOrderId?: string;
                total?: {
                    amount: string;
                    currency: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            /** @enum {string} */
            status: "queued" | "running" | "awaiting_user_action" | "succeeded" | "failed" | "cancelled";
            target: {
                kind: string;
                url: string;
            } & {
                [key: string]: unknown;
            };
            updatedAt: string;
        } & {
            [key: string]: unknown;
        };
        AgentCheckoutList: {
            data: components["schemas"]["AgentCheckout"][];
            nextCursor: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description What the browser did, oldest first. `replayUrl` is relative to the service’s origin. */
        AgentCheckoutSteps: {
            data: ({
                at: string;
                detail?: {
                    [key: string]: unknown;
                };
                hasPicture: boolean;
                nr: number;
                step: string;
                url?: string;
            } & {
                [key: string]: unknown;
            })[];
            nextCursor: string | null;
            replayUrl?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A refusal of the agent checkout routes. `error` is the phrase of the status. */
        AgentError: {
            code?: string;
            error: string;
            message: string;
            statusCode: number;
        } & {
            [key: string]: unknown;
        };
        ApprovalLink: {
            /** Format: date-time */
            expiresAt: string;
            /** @description Locator of the signer that it is for. */
            signer: string;
            /** @description The page. What stands behind the `#` opens it: hand it to this signer alone. */
            url: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A passkey’s approval needs authenticatorData, challengeIndex, clientDataJSON, typeIndex and userVerificationRequired. The others are kept as sent. */
        ApprovalMetadata: {
            authenticatorData?: string;
            challengeIndex?: number | string;
            clientDataJSON?: string;
            deviceInfo?: string;
            ipAddress?: string;
            typeIndex?: number | string;
            userAgent?: string;
            userVerificationRequired?: boolean;
        };
        Approvals: {
            pending: (({
                message: string;
                signer: components["schemas"]["Signer"];
            } & {
                [key: string]: unknown;
            }) | components["schemas"]["QuorumApprovals"])[];
            required?: number;
            submitted: (({
                message: string;
                signature: unknown;
                signer: components["schemas"]["Signer"];
                /** @description Epoch milliseconds. */
                submittedAt: number;
            } & {
                [key: string]: unknown;
            }) | components["schemas"]["QuorumApprovals"])[];
        } & {
            [key: string]: unknown;
        };
        Balances: {
            nativeToken: {
                /** @description In the smallest unit. */
                balance: string;
                /** @description US dollars, up to 6 decimals; absent when no price is known. */
                balanceUSD?: string;
                /** @description Balance by chain, where the coin is the same. */
                chains: {
                    [key: string]: string;
                };
                decimals: number;
                symbol: string;
            } & {
                [key: string]: unknown;
            };
            tokens: ({
                /** @description Absent for the native coin of a chain, and where the chain does not have the token: zero. */
                address?: string;
                /** @description In the smallest unit. */
                balance: string;
                /** @description US dollars, up to 6 decimals; absent when no price is known. */
                balanceUSD?: string;
                chain: string;
                decimals: number;
                symbol?: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description Tokens asked for that no network here knows; absent when there are none. */
            unknownSymbols?: string[];
        } & {
            [key: string]: unknown;
        };
        BalancesList: ({
            /** @description In whole tokens, all chains together. */
            amount: string;
            /** @description Empty: no network here knows the symbol. */
            chains: {
                [key: string]: {
                    amount: string;
                    contractAddress?: string;
                    contractId?: string;
                    locator: string;
                    mintHash?: string;
                    rawAmount: string;
                } & {
                    [key: string]: unknown;
                };
            };
            decimals: number;
            name?: string;
            /** @description In the smallest unit, all chains together. */
            rawAmount: string;
            symbol?: string;
        } & {
            [key: string]: unknown;
        })[];
        /** @description Keeps the merchant logins of a user between checkouts. Answers hold metadata only: no cookies, tokens or storage. */
        BrowserProfile: {
            createdAt: string;
            /** Format: uuid */
            id: string;
            label?: string;
            updatedAt: string;
        } & {
            [key: string]: unknown;
        };
        BrowserProfileList: {
            data: components["schemas"]["BrowserProfile"][];
            nextCursor: null;
        } & {
            [key: string]: unknown;
        };
        /** @description Who buys and where to, for agent checkouts. It holds no payment data. */
        BuyerProfile: {
            contact?: {
                email?: string;
                phone?: string;
            } & {
                [key: string]: unknown;
            };
            createdAt: string;
            /** Format: uuid */
            id: string;
            label?: string;
            name?: {
                first?: string;
                last?: string;
            } & {
                [key: string]: unknown;
            };
            shipping: {
                addressLines: string[];
                administrativeAreaCode?: string | null;
                countryCode: string;
                locality: string;
                postalCode?: string | null;
            } & {
                [key: string]: unknown;
            };
            updatedAt: string;
        } & {
            [key: string]: unknown;
        };
        BuyerProfileList: {
            data: components["schemas"]["BuyerProfile"][];
            nextCursor: string | null;
        } & {
            [key: string]: unknown;
        };
        CreateAgentCheckout: {
            /** Format: uuid */
            browserProfileId?: string;
            /** Format: uuid */
            buyerProfileId?: string;
            constraints: {
                /** @description Refuse this one with 429 when it and the checkouts of the user of the last 24 hours may cost more together. Counted where they are created, whoever creates them. */
                dailyMax?: {
                    amount: string;
                    currency: string;
                };
                maxCost: {
                    amount: string;
                    currency: string;
                };
            };
            metadata?: {
                [key: string]: unknown;
            };
            target: {
                /** @constant */
                kind: "direct_url";
                merchantContext?: string;
                request?: string;
                url: string;
            };
        };
        CreateApprovalLinkBody: {
            /** @description 3600 when absent. */
            expiresInSeconds?: number;
            /** @description Who is to approve; needed where several are asked, e.g. members of a quorum. */
            signer?: string | ({
                locator: string;
            } & {
                [key: string]: unknown;
            });
        };
        /** @default {} */
        CreateBrowserProfile: {
            label?: string;
        };
        CreateBuyerProfile: {
            contact?: {
                email?: string;
                phone?: string;
            };
            label?: string;
            name?: {
                first?: string;
                last?: string;
            };
            shipping: {
                addressLines: string[];
                administrativeAreaCode?: string | null;
                countryCode: string;
                locality: string;
                postalCode?: string | null;
            };
        };
        CreatedOrder: {
            /** @description Opens this order with a client key; a draft has none. */
            clientSecret?: string;
            order: components["schemas"]["Order"];
        } & {
            [key: string]: unknown;
        };
        CreatedWebhookEndpoint: {
            /** Format: date-time */
            createdAt: string;
            description?: string;
            /** Format: date-time */
            disabledAt?: string;
            /** @enum {string} */
            disabledReason?: "asked" | "gone" | "failing";
            /** @description Absent: all. */
            events?: string[];
            /**
             * Format: date-time
             * @description First failed attempt after the last success.
             */
            failingSince?: string;
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description The receiver asked for it with Retry-After.
             */
            pausedUntil?: string;
            /** @description `whsec_…`, shown once: a repeat of the call answers without it. */
            secret?: string;
            /** @enum {string} */
            status: "enabled" | "disabled";
            /** Format: date-time */
            updatedAt: string;
            url: string;
        };
        CreateMyWalletBody: {
            alias?: string;
            /** @enum {string} */
            chainType: "aptos" | "evm" | "solana" | "stellar" | "sui";
            /** @description Required for smart wallets, ignored for mpc wallets. */
            config?: {
                adminSigner?: {
                    address: string;
                    locator?: string;
                    /** @constant */
                    type: "external-wallet";
                } | {
                    address: string;
                    locator?: string;
                    /** @constant */
                    type: "server";
                } | {
                    address?: string;
                    locator?: string;
                    /** @constant */
                    type: "api-key";
                } | {
                    id: string;
                    locator?: string;
                    name?: string;
                    publicKey: {
                        x: string;
                        y: string;
                    };
                    /** @constant */
                    type: "passkey";
                    validatorContractVersion?: string;
                } | {
                    address?: string;
                    /** Format: email */
                    email: string;
                    locator?: string;
                    /** @constant */
                    type: "email";
                } | {
                    address?: string;
                    locator?: string;
                    phone: string;
                    /** @constant */
                    type: "phone";
                } | {
                    locator?: string;
                    name?: string;
                    publicKey: {
                        x: string;
                        y: string;
                    };
                    /** @constant */
                    type: "device";
                } | {
                    locator?: string;
                    members: {
                        [key: string]: unknown;
                    }[];
                    threshold: number;
                    /** @constant */
                    type: "quorum";
                };
                creationSeed?: string;
                delegatedSigners?: {
                    /** Format: date-time */
                    expiresAt?: string;
                    scopes?: {
                        recipients?: string[];
                        spendingLimit?: {
                            amount: string;
                            interval?: number;
                        };
                        tokenLocator: string;
                        /** @constant */
                        type: "transfer";
                    }[];
                    signer: string | ({
                        address: string;
                        chains?: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        expiresAt?: string;
                        locator?: string;
                        scopes?: {
                            recipients?: string[];
                            spendingLimit?: {
                                amount: string;
                                interval?: number;
                            };
                            tokenLocator: string;
                            /** @constant */
                            type: "transfer";
                        }[];
                        /** @constant */
                        type: "external-wallet";
                    } | {
                        address: string;
                        chains?: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        expiresAt?: string;
                        locator?: string;
                        scopes?: {
                            recipients?: string[];
                            spendingLimit?: {
                                amount: string;
                                interval?: number;
                            };
                            tokenLocator: string;
                            /** @constant */
                            type: "transfer";
                        }[];
                        /** @constant */
                        type: "server";
                    } | {
                        address?: string;
                        chains?: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        expiresAt?: string;
                        locator?: string;
                        scopes?: {
                            recipients?: string[];
                            spendingLimit?: {
                                amount: string;
                                interval?: number;
                            };
                            tokenLocator: string;
                            /** @constant */
                            type: "transfer";
                        }[];
                        /** @constant */
                        type: "api-key";
                    } | {
                        chains?: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        expiresAt?: string;
                        id: string;
                        locator?: string;
                        name?: string;
                        publicKey: {
                            x: string;
                            y: string;
                        };
                        scopes?: {
                            recipients?: string[];
                            spendingLimit?: {
                                amount: string;
                                interval?: number;
                            };
                            tokenLocator: string;
                            /** @constant */
                            type: "transfer";
                        }[];
                        /** @constant */
                        type: "passkey";
                        validatorContractVersion?: string;
                    } | {
                        address?: string;
                        chains?: {
                            [key: string]: unknown;
                        };
                        /** Format: email */
                        email: string;
                        /** Format: date-time */
                        expiresAt?: string;
                        locator?: string;
                        scopes?: {
                            recipients?: string[];
                            spendingLimit?: {
                                amount: string;
                                interval?: number;
                            };
                            tokenLocator: string;
                            /** @constant */
                            type: "transfer";
                        }[];
                        /** @constant */
                        type: "email";
                    } | {
                        address?: string;
                        chains?: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        expiresAt?: string;
                        locator?: string;
                        phone: string;
                        scopes?: {
                            recipients?: string[];
                            spendingLimit?: {
                                amount: string;
                                interval?: number;
                            };
                            tokenLocator: string;
                            /** @constant */
                            type: "transfer";
                        }[];
                        /** @constant */
                        type: "phone";
                    } | {
                        chains?: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        expiresAt?: string;
                        locator?: string;
                        name?: string;
                        publicKey: {
                            x: string;
                            y: string;
                        };
                        scopes?: {
                            recipients?: string[];
                            spendingLimit?: {
                                amount: string;
                                interval?: number;
                            };
                            tokenLocator: string;
                            /** @constant */
                            type: "transfer";
                        }[];
                        /** @constant */
                        type: "device";
                    } | {
                        chains?: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        expiresAt?: string;
                        locator?: string;
                        members: {
                            [key: string]: unknown;
                        }[];
                        scopes?: {
                            recipients?: string[];
                            spendingLimit?: {
                                amount: string;
                                interval?: number;
                            };
                            tokenLocator: string;
                            /** @constant */
                            type: "transfer";
                        }[];
                        threshold: number;
                        /** @constant */
                        type: "quorum";
                    });
                }[];
                plugins?: string[];
                recoveryMethods?: ({
                    address: string;
                    locator?: string;
                    /** @constant */
                    type: "external-wallet";
                } | {
                    address: string;
                    locator?: string;
                    /** @constant */
                    type: "server";
                } | {
                    address?: string;
                    locator?: string;
                    /** @constant */
                    type: "api-key";
                } | {
                    id: string;
                    locator?: string;
                    name?: string;
                    publicKey: {
                        x: string;
                        y: string;
                    };
                    /** @constant */
                    type: "passkey";
                    validatorContractVersion?: string;
                } | {
                    address?: string;
                    /** Format: email */
                    email: string;
                    locator?: string;
                    /** @constant */
                    type: "email";
                } | {
                    address?: string;
                    locator?: string;
                    phone: string;
                    /** @constant */
                    type: "phone";
                } | {
                    locator?: string;
                    name?: string;
                    publicKey: {
                        x: string;
                        y: string;
                    };
                    /** @constant */
                    type: "device";
                } | {
                    locator?: string;
                    members: {
                        [key: string]: unknown;
                    }[];
                    threshold: number;
                    /** @constant */
                    type: "quorum";
                })[];
            };
            owner?: unknown;
            /**
             * @description `smart` by default; on aptos and sui `mpc`: one key that the service signs with, without approvals.
             * @enum {string}
             */
            type?: "smart" | "mpc";
        };
        CreateOrderBody: {
            /** @description An order of another shop: refused, nothing is stored. Send `lineItems`. */
            externalOrder?: unknown;
            /** @description Several only where tokens are delivered and paid by a deposit, and all of one network. */
            lineItems?: components["schemas"]["OrderLineItemInput"][] | components["schemas"]["OrderLineItemInput"];
            /**
             * @description `en-US` when absent.
             * @enum {string}
             */
            locale?: "en-US" | "es-ES" | "fr-FR" | "it-IT" | "ko-KR" | "pt-PT" | "ja-JP" | "zh-CN" | "zh-TW" | "de-DE" | "ru-RU" | "tr-TR" | "uk-UA" | "th-TH" | "vi-VN" | "Klingon";
            metadata?: {
                [key: string]: unknown;
            };
            payment: components["schemas"]["OrderPaymentInput"];
            recipient?: components["schemas"]["OrderRecipientInput"];
            /**
             * @description `draft`: a priced preview, neither stored nor payable.
             * @enum {string}
             */
            state?: "create" | "draft";
        };
        CreateSignatureBody: {
            /** @description message: `message`, `chain`, `signer?`. typed-data: `typedData`, `chain`, `signer?`, `isSmartWalletSignature?`. auth-entries: `authorizationEntries`, `signer?`. An mpc wallet has no signer. By chainType: evm message, typed-data; stellar auth-entries. */
            params: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            type: "message" | "typed-data" | "auth-entries";
        };
        CreateTransactionBody: {
            /**
             * @description By the wallet's `chainType` and type:
             *
             *     - evm, smart: `calls` (or `call`, the only one), `chain`, `signer?`
             *     - evm, mpc: `call` (`{to, data}` or `{address, functionName, abi, args}`), `chain`
             *     - solana, smart: `transaction` (serialised, in base58), `requiredSigners?`, `feeConfig?`, `signer?`
             *     - solana, mpc: `transaction` (serialised, in base58), `requiredSigners?`, `feeConfig?`
             *     - stellar, smart: `transaction`, one of `{type: "contract-call", contractId, method, args, memo?}`, `{type: "serialized-transaction", serializedTransaction, contractId}`, `{type: "upgrade-wallet"}`, `{type: "migrate-wallet"}`; `signer?`
             *     - stellar, mpc: `transaction`, one of `{type: "contract-call", contractId, method, args, memo?}`, `{type: "serialized-transaction", serializedTransaction, contractId?}`
             *     - aptos, mpc: `transaction` (a raw transaction that calls an entry function, as BCS in base64)
             *     - sui, mpc: `transaction` (a programmable transaction as BCS in base64, its kind alone or whole)
             */
            params: {
                [key: string]: unknown;
            };
        };
        CreateTransferBody: {
            /** @description Whole tokens as a decimal text, e.g. "1.5". Required for fungible tokens, ignored for a token id. */
            amount?: string;
            /** @description Stellar only. */
            memo?: {
                /** @enum {string} */
                type: "text" | "id" | "hash";
                value: string;
            };
            /** @description An address, or a user locator: that user’s wallet on the chain, created when missing. */
            recipient: string;
            /** @description Locator; the admin signer when absent. */
            signer?: string | ({
                locator: string;
            } & {
                [key: string]: unknown;
            });
            /**
             * @description Default `direct`. `regulated-transfer`: the owner of the wallet has to be verified for it.
             * @enum {string}
             */
            transactionType?: "direct" | "regulated-transfer" | "onramp";
        };
        CreateWalletBody: {
            alias?: string;
            /** @enum {string} */
            chainType: "aptos" | "evm" | "solana" | "stellar" | "sui";
            /** @description Required for smart wallets, ignored for mpc wallets. */
            config?: {
                adminSigner?: {
                    address: string;
                    locator?: string;
                    /** @constant */
                    type: "external-wallet";
                } | {
                    address: string;
                    locator?: string;
                    /** @constant */
                    type: "server";
                } | {
                    address?: string;
                    locator?: string;
                    /** @constant */
                    type: "api-key";
                } | {
                    id: string;
                    locator?: string;
                    name?: string;
                    publicKey: {
                        x: string;
                        y: string;
                    };
                    /** @constant */
                    type: "passkey";
                    validatorContractVersion?: string;
                } | {
                    address?: string;
                    /** Format: email */
                    email: string;
                    locator?: string;
                    /** @constant */
                    type: "email";
                } | {
                    address?: string;
                    locator?: string;
                    phone: string;
                    /** @constant */
                    type: "phone";
                } | {
                    locator?: string;
                    name?: string;
                    publicKey: {
                        x: string;
                        y: string;
                    };
                    /** @constant */
                    type: "device";
                } | {
                    locator?: string;
                    members: {
                        [key: string]: unknown;
                    }[];
                    threshold: number;
                    /** @constant */
                    type: "quorum";
                };
                creationSeed?: string;
                delegatedSigners?: {
                    /** Format: date-time */
                    expiresAt?: string;
                    scopes?: {
                        recipients?: string[];
                        spendingLimit?: {
                            amount: string;
                            interval?: number;
                        };
                        tokenLocator: string;
                        /** @constant */
                        type: "transfer";
                    }[];
                    signer: string | ({
                        address: string;
                        chains?: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        expiresAt?: string;
                        locator?: string;
                        scopes?: {
                            recipients?: string[];
                            spendingLimit?: {
                                amount: string;
                                interval?: number;
                            };
                            tokenLocator: string;
                            /** @constant */
                            type: "transfer";
                        }[];
                        /** @constant */
                        type: "external-wallet";
                    } | {
                        address: string;
                        chains?: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        expiresAt?: string;
                        locator?: string;
                        scopes?: {
                            recipients?: string[];
                            spendingLimit?: {
                                amount: string;
                                interval?: number;
                            };
                            tokenLocator: string;
                            /** @constant */
                            type: "transfer";
                        }[];
                        /** @constant */
                        type: "server";
                    } | {
                        address?: string;
                        chains?: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        expiresAt?: string;
                        locator?: string;
                        scopes?: {
                            recipients?: string[];
                            spendingLimit?: {
                                amount: string;
                                interval?: number;
                            };
                            tokenLocator: string;
                            /** @constant */
                            type: "transfer";
                        }[];
                        /** @constant */
                        type: "api-key";
                    } | {
                        chains?: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        expiresAt?: string;
                        id: string;
                        locator?: string;
                        name?: string;
                        publicKey: {
                            x: string;
                            y: string;
                        };
                        scopes?: {
                            recipients?: string[];
                            spendingLimit?: {
                                amount: string;
                                interval?: number;
                            };
                            tokenLocator: string;
                            /** @constant */
                            type: "transfer";
                        }[];
                        /** @constant */
                        type: "passkey";
                        validatorContractVersion?: string;
                    } | {
                        address?: string;
                        chains?: {
                            [key: string]: unknown;
                        };
                        /** Format: email */
                        email: string;
                        /** Format: date-time */
                        expiresAt?: string;
                        locator?: string;
                        scopes?: {
                            recipients?: string[];
                            spendingLimit?: {
                                amount: string;
                                interval?: number;
                            };
                            tokenLocator: string;
                            /** @constant */
                            type: "transfer";
                        }[];
                        /** @constant */
                        type: "email";
                    } | {
                        address?: string;
                        chains?: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        expiresAt?: string;
                        locator?: string;
                        phone: string;
                        scopes?: {
                            recipients?: string[];
                            spendingLimit?: {
                                amount: string;
                                interval?: number;
                            };
                            tokenLocator: string;
                            /** @constant */
                            type: "transfer";
                        }[];
                        /** @constant */
                        type: "phone";
                    } | {
                        chains?: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        expiresAt?: string;
                        locator?: string;
                        name?: string;
                        publicKey: {
                            x: string;
                            y: string;
                        };
                        scopes?: {
                            recipients?: string[];
                            spendingLimit?: {
                                amount: string;
                                interval?: number;
                            };
                            tokenLocator: string;
                            /** @constant */
                            type: "transfer";
                        }[];
                        /** @constant */
                        type: "device";
                    } | {
                        chains?: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        expiresAt?: string;
                        locator?: string;
                        members: {
                            [key: string]: unknown;
                        }[];
                        scopes?: {
                            recipients?: string[];
                            spendingLimit?: {
                                amount: string;
                                interval?: number;
                            };
                            tokenLocator: string;
                            /** @constant */
                            type: "transfer";
                        }[];
                        threshold: number;
                        /** @constant */
                        type: "quorum";
                    });
                }[];
                plugins?: string[];
                recoveryMethods?: ({
                    address: string;
                    locator?: string;
                    /** @constant */
                    type: "external-wallet";
                } | {
                    address: string;
                    locator?: string;
                    /** @constant */
                    type: "server";
                } | {
                    address?: string;
                    locator?: string;
                    /** @constant */
                    type: "api-key";
                } | {
                    id: string;
                    locator?: string;
                    name?: string;
                    publicKey: {
                        x: string;
                        y: string;
                    };
                    /** @constant */
                    type: "passkey";
                    validatorContractVersion?: string;
                } | {
                    address?: string;
                    /** Format: email */
                    email: string;
                    locator?: string;
                    /** @constant */
                    type: "email";
                } | {
                    address?: string;
                    locator?: string;
                    phone: string;
                    /** @constant */
                    type: "phone";
                } | {
                    locator?: string;
                    name?: string;
                    publicKey: {
                        x: string;
                        y: string;
                    };
                    /** @constant */
                    type: "device";
                } | {
                    locator?: string;
                    members: {
                        [key: string]: unknown;
                    }[];
                    threshold: number;
                    /** @constant */
                    type: "quorum";
                })[];
            };
            /** @description `<kind>:<value>` or `COMPANY`. */
            owner?: string;
            /**
             * @description `smart` by default; on aptos and sui `mpc`: one key that the service signs with, without approvals.
             * @enum {string}
             */
            type?: "smart" | "mpc";
        };
        DelegatedSigner: {
            address?: string;
            /** @description evm, by chain name. Empty: part of the wallet, valid on every chain. Else only the chains that are named. */
            chains?: {
                [key: string]: {
                    id?: string;
                    /** @enum {string} */
                    status: "success" | "pending" | "awaiting-approval" | "failed";
                } & {
                    [key: string]: unknown;
                };
            };
            /** Format: date-time */
            expiresAt?: string;
            locator: string;
            scopes?: {
                [key: string]: unknown;
            }[];
            /** @description Not evm: the transaction that registers it. */
            transaction?: {
                id: string;
                status: string;
            } & {
                [key: string]: unknown;
            };
            type: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A SignerInput, or a delegated signer as an answer has it. */
        DelegatedSignerInput: {
            address: string;
            /** @description Of an answer: not read. */
            chains?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description As if it stood beside the signer.
             */
            expiresAt?: string;
            locator?: string;
            /** @description As if they stood beside the signer. */
            scopes?: components["schemas"]["SignerScope"][];
            /** @constant */
            type: "external-wallet";
        } | {
            address: string;
            /** @description Of an answer: not read. */
            chains?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description As if it stood beside the signer.
             */
            expiresAt?: string;
            locator?: string;
            /** @description As if they stood beside the signer. */
            scopes?: components["schemas"]["SignerScope"][];
            /** @constant */
            type: "server";
        } | {
            address?: string;
            /** @description Of an answer: not read. */
            chains?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description As if it stood beside the signer.
             */
            expiresAt?: string;
            locator?: string;
            /** @description As if they stood beside the signer. */
            scopes?: components["schemas"]["SignerScope"][];
            /** @constant */
            type: "api-key";
        } | {
            /** @description Of an answer: not read. */
            chains?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description As if it stood beside the signer.
             */
            expiresAt?: string;
            id: string;
            locator?: string;
            name?: string;
            publicKey: {
                x: string;
                y: string;
            };
            /** @description As if they stood beside the signer. */
            scopes?: components["schemas"]["SignerScope"][];
            /** @constant */
            type: "passkey";
            validatorContractVersion?: string;
        } | {
            address?: string;
            /** @description Of an answer: not read. */
            chains?: {
                [key: string]: unknown;
            };
            /** Format: email */
            email: string;
            /**
             * Format: date-time
             * @description As if it stood beside the signer.
             */
            expiresAt?: string;
            locator?: string;
            /** @description As if they stood beside the signer. */
            scopes?: components["schemas"]["SignerScope"][];
            /** @constant */
            type: "email";
        } | {
            address?: string;
            /** @description Of an answer: not read. */
            chains?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description As if it stood beside the signer.
             */
            expiresAt?: string;
            locator?: string;
            phone: string;
            /** @description As if they stood beside the signer. */
            scopes?: components["schemas"]["SignerScope"][];
            /** @constant */
            type: "phone";
        } | {
            /** @description Of an answer: not read. */
            chains?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description As if it stood beside the signer.
             */
            expiresAt?: string;
            /** @description Kept when it names this key, in base64 of one of its usual forms; else `device:` and the 65 bytes 04, x, y in base64. */
            locator?: string;
            name?: string;
            publicKey: {
                x: string;
                y: string;
            };
            /** @description As if they stood beside the signer. */
            scopes?: components["schemas"]["SignerScope"][];
            /** @constant */
            type: "device";
        } | {
            /** @description Of an answer: not read. */
            chains?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description As if it stood beside the signer.
             */
            expiresAt?: string;
            /** @description Of an answer: a quorum is known by its threshold and members, and gets its locator from the service. */
            locator?: string;
            /** @description SignerInput objects of any type but device and quorum. */
            members: {
                [key: string]: unknown;
            }[];
            /** @description As if they stood beside the signer. */
            scopes?: components["schemas"]["SignerScope"][];
            /** @description How many members have to approve. */
            threshold: number;
            /** @constant */
            type: "quorum";
        };
        /** @description What the user may do. The `-light` types cover US$1,000 in twelve months, the full ones more; residents of the US always need the full `offramp`. */
        Eligibility: {
            eligibility: ({
                missingData?: ("user-details" | "kyc-data")[];
                missingDocuments?: ("id" | "proof-of-address")[];
                /** @enum {string} */
                status: "not-started" | "pending-privacy-policy" | "requires-data" | "pending-review" | "verified" | "rejected";
                /** @enum {string} */
                type: "onramp" | "onramp-light" | "offramp" | "offramp-light" | "regulated-transfer";
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        /** @description A refusal. `message` says what to do, `code` is for programs. */
        Error: {
            code?: string;
            /** @constant */
            error: true;
            message: string;
        } & {
            [key: string]: unknown;
        };
        Event: {
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: uuid
             * @description The `webhook-id` of its deliveries.
             */
            id: string;
            object: string;
            /** @description What webhooks carry: `{id, type, data}`, or `{actionId, type, data}` for orders. */
            payload: unknown;
            /** @description Rises with each event. */
            position: string;
            type: string;
        };
        EventPage: {
            events: components["schemas"]["Event"][];
            /** @description Send it as `after`; it stays valid when nothing is new. */
            nextCursor?: string;
        };
        FundWalletBody: {
            /** @description Whole tokens, 1 to 100. */
            amount: number;
            /** @description One of: arbitrum-sepolia, avalanche-fuji, base-sepolia, ethereum-sepolia, optimism-sepolia, polygon-amoy, sei-atlantic-2-testnet, skale-nebula-testnet, soneium-minato-testnet, viction-testnet, solana, stellar, sui, aptos; or a main name, which stands for its test network (`base`). */
            chain: string;
            /**
             * @description The test stablecoin.
             * @constant
             */
            token: "usdxm";
        };
        LedgerAccount: {
            account: string;
            /** @description A fiat code in lower case, `<chain>:native` or `<chain>:<token address>`. */
            asset: string;
            /** @description What is held and neither settled nor voided. In whole units of the asset, as a decimal. */
            pending: string;
            /** @description The same in the smallest unit. */
            pendingMinor: string;
            /** @description What is posted. In whole units of the asset, as a decimal. */
            posted: string;
            /** @description The same in the smallest unit. */
            postedMinor: string;
            symbol: string;
        } & {
            [key: string]: unknown;
        };
        LedgerAccountsPage: {
            data: components["schemas"]["LedgerAccount"][];
            nextCursor?: string;
        };
        LedgerEntriesPage: {
            data: components["schemas"]["LedgerEntry"][];
            nextCursor?: string;
        };
        LedgerEntry: {
            data: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description The chain's or the bank's time.
             */
            effectiveAt: string;
            id: string;
            kind: string;
            orderId?: string;
            /**
             * @description `hold` is pending until a `settle` posts it or a `void` drops it.
             * @enum {string}
             */
            phase: "post" | "hold" | "settle" | "void";
            postings: ({
                account: string;
                /** @description Positive: debit, negative: credit. In whole units of the asset, as a decimal. */
                amount: string;
                /** @description The same in the smallest unit. */
                amountMinor: string;
                /** @description A fiat code in lower case, `<chain>:native` or `<chain>:<token address>`. */
                asset: string;
                symbol: string;
            } & {
                [key: string]: unknown;
            })[];
            /**
             * Format: date-time
             * @description Our time.
             */
            recordedAt: string;
            /** @description Unique in the project. An entry that ends a hold carries the reference of the hold. */
            reference: string;
        } & {
            [key: string]: unknown;
        };
        LedgerTrialBalance: {
            assets: ({
                accounts: ({
                    /** @description The clearing accounts of all orders are one line, `order:*:clearing`. */
                    account: string;
                    /** @description Sum of the credit balances, as a positive number. In whole units of the asset, as a decimal. */
                    credit: string;
                    /** @description The same in the smallest unit. */
                    creditMinor: string;
                    /** @description Sum of the debit balances. In whole units of the asset, as a decimal. */
                    debit: string;
                    /** @description The same in the smallest unit. */
                    debitMinor: string;
                    /** @description What is held and neither settled nor voided. In whole units of the asset, as a decimal. */
                    pending: string;
                    /** @description The same in the smallest unit. */
                    pendingMinor: string;
                } & {
                    [key: string]: unknown;
                })[];
                /** @description A fiat code in lower case, `<chain>:native` or `<chain>:<token address>`. */
                asset: string;
                /** @description Sum of the credit balances, as a positive number. In whole units of the asset, as a decimal. */
                credit: string;
                /** @description The same in the smallest unit. */
                creditMinor: string;
                /** @description Sum of the debit balances. In whole units of the asset, as a decimal. */
                debit: string;
                /** @description The same in the smallest unit. */
                debitMinor: string;
                symbol: string;
            } & {
                [key: string]: unknown;
            })[];
            /** Format: date-time */
            at?: string;
        };
        LegalDocumentAcceptance: {
            /** Format: date-time */
            acceptedAt: string;
        } & {
            [key: string]: unknown;
        };
        LegalDocumentBody: {
            /** Format: date-time */
            acceptedAt: string;
            /** @enum {string} */
            type: "svc-privacy-policy";
        };
        /** @description A wallet of the user that this service does not hold. */
        LinkedWallet: {
            address: string;
            chain: string;
            ownership: ({
                /** @constant */
                verified: true;
            } & {
                [key: string]: unknown;
            }) | ({
                verificationChallenge: string;
                /** @constant */
                verified: false;
            } & {
                [key: string]: unknown;
            });
            /** @constant */
            type: "external-wallet";
        } & {
            [key: string]: unknown;
        };
        LinkWalletBody: {
            /** @description Chain name, required. The older name `chainType` is taken too. */
            chain?: string;
            chainType?: string;
            /** @description The signature of `verificationChallenge`: `personal_sign` of a key or ERC-1271 signature of a smart wallet (0x…) on EVM chains, base64 of an Ed25519 signature on Solana and Stellar, of a signature of the personal message with its scheme and key on Sui. */
            proof?: string;
        };
        Nfts: ({
            /** @description How many of this id; 1 unless the contract has editions. */
            amount: string;
            chain: string;
            contractAddress?: string;
            /** @description As far as the contract tells it and it can be read. */
            metadata: {
                description?: string;
                image?: string;
                name?: string;
            } & {
                [key: string]: unknown;
            };
            mintHash?: string;
            tokenId?: string;
        } & {
            [key: string]: unknown;
        })[];
        Order: {
            legal: {
                requirements: ({
                    display: string;
                    type: string;
                    url: string;
                } & {
                    [key: string]: unknown;
                })[];
            } & {
                [key: string]: unknown;
            };
            lineItems: components["schemas"]["OrderLineItem"][];
            locale: string;
            /** Format: uuid */
            orderId: string;
            payment: {
                currency: string;
                failureReason?: {
                    /** @description e.g. `verification_error`. */
                    category?: string;
                    code: string;
                    message: string;
                    /**
                     * @description `retry`: this order may be paid as it is, with the same card too. `other-card`: this order, with another card. `new-order`: this order can no longer be paid, a new one may. `none`: a new one would fail alike. Never pay again by yourself: ask the payer.
                     * @enum {string}
                     */
                    retryPolicy?: "retry" | "other-card" | "new-order" | "none";
                } & {
                    [key: string]: unknown;
                };
                method: string;
                preparation?: {
                    [key: string]: unknown;
                };
                receiptEmail?: string;
                received?: components["schemas"]["OrderMovedMoney"];
                refunded?: components["schemas"]["OrderMovedMoney"];
                /** @enum {string} */
                status: "draft" | "requires-quote" | "requires-email" | "requires-kyc" | "pending-kyc-review" | "manual-kyc" | "failed-kyc" | "requires-recipient-verification" | "requires-crypto-payer-address" | "crypto-payer-insufficient-funds" | "crypto-payer-insufficient-funds-for-gas" | "awaiting-payment" | "in-progress" | "completed" | "failed" | "refunded";
                totalPaid?: components["schemas"]["OrderMovedMoney"];
            } & {
                [key: string]: unknown;
            };
            /**
             * @description `completed` is not success: read `delivery.status`.
             * @enum {string}
             */
            phase: "quote" | "payment" | "delivery" | "completed";
            quote: {
                /** Format: date-time */
                expiresAt?: string;
                /** Format: date-time */
                quotedAt?: string;
                /** @enum {string} */
                status: "valid" | "expired" | "requires-recipient" | "requires-physical-address" | "all-line-items-unavailable";
                totalPrice?: components["schemas"]["OrderMoney"];
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        OrderLimits: {
            data: ({
                /** @constant */
                currency: "usd";
                hoursUntilReset: string;
                kind?: string;
                limit: string;
                method?: string;
                /** @enum {string} */
                period: "single" | "daily" | "monthly";
                remainingAmount: string;
                /** @enum {string} */
                subject: "user" | "project" | "token";
                /** @description Of a limit of the volume of one token: its symbol. */
                token?: string;
                used: string;
            } & {
                [key: string]: unknown;
            })[];
        };
        OrderLineItem: {
            callData?: {
                [key: string]: unknown;
            };
            chain?: string;
            delivery: {
                /** Format: date-time */
                completedAt?: string;
                /** @description Payout rail, set once at routing. */
                rail?: string;
                recipient?: {
                    [key: string]: unknown;
                };
                /** @enum {string} */
                status: "draft" | "awaiting-payment" | "in-progress" | "completed" | "failed";
                tokens?: ({
                    locator: string;
                    quantity: string;
                } & {
                    [key: string]: unknown;
                })[];
                txId?: string;
            } & {
                [key: string]: unknown;
            };
            /** @enum {string} */
            executionMode: "exact-in" | "exact-out";
            executionParams: {
                amount: string;
                /** @description Amount after fees. */
                effectiveAmount?: string;
                /** @enum {string} */
                mode: "exact-in" | "exact-out";
                outFiatCurrency?: string;
            } & {
                [key: string]: unknown;
            };
            maxSlippageBps?: string;
            metadata: {
                description: string;
                /** @description May be a `data:` address, which carries the picture itself. */
                imageUrl?: string;
                name: string;
            } & {
                [key: string]: unknown;
            };
            quantity: number;
            quote: {
                charges?: {
                    fees: ({
                        amount: string;
                        currency: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                    salesTax: components["schemas"]["OrderMoney"];
                    shipping: components["schemas"]["OrderMoney"];
                    /** @description Price of what is delivered. */
                    unit: components["schemas"]["OrderMoney"];
                } & {
                    [key: string]: unknown;
                };
                quantityRange?: {
                    lowerBound: string;
                    upperBound: string;
                } & {
                    [key: string]: unknown;
                };
                /** @enum {string} */
                status: "valid" | "expired" | "requires-recipient" | "item-unavailable";
                /** @description `unit` and all `fees`, to the last smallest unit. */
                totalPrice?: components["schemas"]["OrderMoney"];
                unavailabilityReason?: {
                    code: string;
                    message: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        OrderLineItemInput: {
            /** @description Echoed. Of new items: `quantity`, and the arguments of the mint function by their names, where it takes more. */
            callData?: {
                [key: string]: unknown;
            };
            /** @description Collection of which new items are minted: its id, `<chain>:<contract>`, or `<chain>:<contract>:<tokenId>` of an edition. */
            collectionLocator?: string;
            /** @description Fiat that is delivered: `fiat:<currency>`. */
            currencyLocator?: string;
            executionParameters?: {
                /** @description In whole units, a decimal. */
                amount: string;
                /** @description How far the price may move until execution, in hundredths of a percent. */
                maxSlippageBps?: string;
                /**
                 * @description `exact-in`: what is paid; `exact-out`: what is received.
                 * @enum {string}
                 */
                mode: "exact-in" | "exact-out";
            };
            /** @description Token that is delivered, e.g. `base-sepolia:usdc`; with a token id one that the treasury holds and the project sells. */
            tokenLocator?: string;
        };
        OrderList: {
            data: components["schemas"]["Order"][];
            nextCursor: string | null;
            previousCursor: string | null;
        };
        OrderMoney: {
            amount: string;
            currency: string;
        } & {
            [key: string]: unknown;
        };
        OrderMovedMoney: {
            amount: string;
            chain?: string;
            currency: string;
            txId?: string;
        } & {
            [key: string]: unknown;
        };
        OrderPaymentInput: {
            /** @description e.g. `usdc`; with `card` a fiat currency, `usd` when absent. */
            currency?: string;
            /** @description `card`, or the chain on which the deposit is paid. */
            method: string;
            /** @description Wallet the user pays from. */
            payerAddress?: string;
            /** @description For the receipt and the identity check. */
            receiptEmail?: string;
        };
        OrderPhysicalAddress: {
            city: string;
            /** @description ISO 3166-1, two letters. */
            country: string;
            line1: string;
            line2?: string;
            name: string;
            postalCode: string;
            /** @description Deprecated: `stateOrRegion`. */
            state?: string;
            stateOrRegion?: string;
        };
        /** @description `{paymentMethodId, rail?}` for fiat; `{walletAddress}` or `{email}`, each with `physicalAddress?`, for tokens. */
        OrderRecipientInput: {
            /** @description As `paymentMethodId`. */
            bankAccountId?: string;
            email?: string;
            /** @description Saved payout method. */
            paymentMethodId?: string;
            physicalAddress?: components["schemas"]["OrderPhysicalAddress"];
            /** @description One of the payout method's `rails.supported`; its default when absent. */
            rail?: string;
            walletAddress?: string;
        };
        OrderTracking: ({
            deliveryTimeRange?: {
                /** Format: date-time */
                lowerBound: string;
                /** Format: date-time */
                upperBound: string;
            } & {
                [key: string]: unknown;
            };
            packageTracking?: {
                carrierName: string;
                carrierTrackingNumber: string;
            } & {
                [key: string]: unknown;
            };
            /** @enum {string} */
            status: "shipped" | "delivered";
        } & {
            [key: string]: unknown;
        })[];
        PatchOrderBody: {
            /** @description Never changes: create a new order. */
            lineItems?: unknown;
            /** @enum {string} */
            locale?: "en-US" | "es-ES" | "fr-FR" | "it-IT" | "ko-KR" | "pt-PT" | "ja-JP" | "zh-CN" | "zh-TW" | "de-DE" | "ru-RU" | "tr-TR" | "uk-UA" | "th-TH" | "vi-VN" | "Klingon";
            /** @description Sent whole. */
            payment?: components["schemas"]["OrderPaymentInput"];
            /** @description Sent whole. */
            recipient?: components["schemas"]["OrderRecipientInput"];
        };
        PaymentMethod: {
            bankAccount?: components["schemas"]["PaymentMethodBankAccount"];
            card?: components["schemas"]["PaymentMethodCard"];
            /** Format: date-time */
            createdAt: string;
            default: boolean;
            /** @description Bank or brand, `••` and the last 4. */
            displayName: string;
            /**
             * Format: date-time
             * @description Latest successful payout.
             */
            lastPayoutAt?: string;
            /** Format: uuid */
            paymentMethodId: string;
            type: string;
            /** Format: date-time */
            updatedAt: string;
        } & {
            [key: string]: unknown;
        };
        PaymentMethodBankAccount: {
            /** @description Last 4 characters of the account number. */
            accountSuffix: string;
            accountType?: string;
            bankAddress?: components["schemas"]["PostalAddressView"];
            /** @description `bank-account-co`. */
            bankCode?: string;
            bankName?: string;
            /** @description `bank-account-sepa-iban`. */
            bic?: string;
            billing: components["schemas"]["PaymentMethodBillingView"];
            country: string;
            currency: string;
            entityType: string;
            rails: {
                /** @enum {string} */
                status: "active" | "pending" | "unavailable";
                /** @description Payout rails; the first is the default. */
                supported: string[];
            } & {
                [key: string]: unknown;
            };
            /** @description `bank-account-us`. */
            routingNumber?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description What changes; an address is sent whole. */
        PaymentMethodBillingPatch: {
            address?: components["schemas"]["PostalAddress"];
            name?: string;
            /** @description E.164, e.g. +14155550123. */
            phone?: string;
        };
        PaymentMethodBillingView: {
            address: components["schemas"]["PostalAddressView"];
            name: string;
            phone?: string;
        } & {
            [key: string]: unknown;
        };
        PaymentMethodCard: {
            billing: components["schemas"]["PaymentMethodBillingView"];
            bin: string;
            brand: string;
            country: string;
            expiration: {
                month: string;
                year: string;
            } & {
                [key: string]: unknown;
            };
            fundingType: string;
            last4: string;
        } & {
            [key: string]: unknown;
        };
        PaymentMethodList: {
            data: components["schemas"]["PaymentMethod"][];
            nextCursor: string | null;
        } & {
            [key: string]: unknown;
        };
        PostalAddress: {
            city: string;
            /** @description ISO 3166-1, two letters. */
            country: string;
            line1: string;
            line2?: string;
            postalCode: string;
            stateOrRegion?: string;
        };
        PostalAddressView: {
            city: string;
            country: string;
            line1: string;
            line2?: string;
            postalCode: string;
            stateOrRegion?: string;
        } & {
            [key: string]: unknown;
        };
        PostOrderPaymentBody: {
            /** @description Transaction in which the deposit was made. */
            txId: string;
            /** @constant */
            type: "crypto-tx-id";
        };
        /** @description Replaces the data of the user: a block that is left out is removed. */
        PutUserBody: {
            dueDiligence?: {
                employmentStatus: string;
                industry: string;
                sourceOfFunds: string;
            };
            kycData?: {
                addressOfResidence: {
                    city: string;
                    line1: string;
                    line2?: string;
                    postalCode: string;
                    stateOrRegion?: string;
                };
                email: string;
                identityDocument: {
                    issuingCountryCode: string;
                    number: string;
                    /** @enum {string} */
                    type: "passport" | "ssn";
                };
                nationality: string;
                phoneNumber: string;
            };
            /** @description Other locators of the same person, e.g. `email:alice@example.com`: from now on they name this user. Server-side keys only; what is linked stays linked. */
            locators?: string[];
            userDetails?: {
                countryOfResidence: string;
                /** Format: date */
                dateOfBirth: string;
                firstName: string;
                lastName: string;
            };
            verificationHistory?: {
                /** Format: date-time */
                idVerificationTimestamp: string;
                /** Format: date-time */
                livenessVerificationTimestamp: string;
            };
        };
        QuorumApprovals: {
            quorumApprovals: {
                pending: ({
                    message: string;
                    signer: components["schemas"]["Signer"];
                } & {
                    [key: string]: unknown;
                })[];
                remaining: number;
                submitted: ({
                    message: string;
                    signature: unknown;
                    signer: components["schemas"]["Signer"];
                    /** @description Epoch milliseconds. */
                    submittedAt: number;
                } & {
                    [key: string]: unknown;
                })[];
                threshold: number;
            } & {
                [key: string]: unknown;
            };
            signer: {
                locator: string;
                /** @constant */
                type: "quorum";
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        RefundRequest: {
            lineItem: number;
            /** Format: uuid */
            orderId: string;
            reason: string;
            /** @enum {string} */
            status: "refund-request-initiated" | "refund-request-accepted" | "refund-request-rejected" | "refund-request-completed";
        } & {
            [key: string]: unknown;
        };
        RefundRequestBody: {
            /** @description Index of the line item. */
            lineItem: number;
            reason: string;
        };
        RequestSignerCodeBody: {
            /** @description P-256 public key of the device that will hold the code, as decimal strings. */
            devicePublicKey: {
                x: string;
                y: string;
            };
            /** @description `message` of the pending approval of this signer. */
            message: string;
        };
        RespondToUserAction: {
            /** @constant */
            action: "submit";
            values: {
                [key: string]: unknown;
            };
        } | {
            /** @constant */
            action: "decline";
            reason?: string;
        };
        RotatedWebhookSecret: {
            /** Format: date-time */
            previousSecretExpiresAt: string;
            /** @description The new `whsec_…`, shown once: a repeat of the call answers without it. */
            secret?: string;
        };
        Signature: {
            approvals: components["schemas"]["Approvals"];
            /** @enum {string} */
            chainType: "aptos" | "evm" | "solana" | "stellar" | "sui";
            /** Format: date-time */
            completedAt?: string;
            /** Format: date-time */
            createdAt: string;
            error?: {
                message: string;
                reason: string;
            } & {
                [key: string]: unknown;
            };
            /** Format: uuid */
            id: string;
            outputSignature?: string;
            params: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            status: "awaiting-approval" | "failed" | "pending" | "success";
            /** @enum {string} */
            type: "message" | "typed-data" | "auth-entries";
            /** @enum {string} */
            walletType: "smart" | "mpc";
        } & {
            [key: string]: unknown;
        };
        Signer: {
            address?: string;
            locator: string;
            type: string;
        } & {
            [key: string]: unknown;
        };
        SignerCode: {
            codeId: string;
            /** Format: date-time */
            expiresAt: string;
            /** @description Masked, e.g. `a***@example.com`. */
            sentTo: string;
        } & {
            [key: string]: unknown;
        };
        SignerCodeSignature: {
            /**
             * Format: date-time
             * @description Until then the device signs without another code.
             */
            sessionExpiresAt: string;
            /** @description To be posted as `signature` of the approval, under the locator of this signer. */
            signature: string;
        } & {
            [key: string]: unknown;
        };
        /** @description What the signer may do: plain transfers of one token. The chain enforces it. */
        SignerScope: {
            /** @description Addresses. Absent: to anybody. */
            recipients?: string[];
            spendingLimit?: {
                /** @description In whole tokens, e.g. "12.5". */
                amount: string;
                /** @description Seconds after which the limit is there anew. Absent: never. */
                interval?: number;
            };
            /** @description `<chain>:<symbol>` or `<chain>:<contract>`, of the same chain. */
            tokenLocator: string;
            /** @constant */
            type: "transfer";
        };
        SignWithCodeBody: {
            /** @description From the message. Needed until it was right once; not looked at afterwards. */
            code?: string;
            codeId: string;
            /** @description ECDSA with SHA-256 by the device key over the lines of this request: see the guide. */
            deviceSignature: {
                r: string;
                s: string;
            };
            /** @description `message` of the pending approval of this signer. */
            message: string;
            /** @description Random, for one request only. */
            nonce: string;
        };
        /** @description The simulation of the transaction failed; nothing was sent to the chain. */
        SimulationError: {
            error: {
                message: string;
                reason: string;
            } & {
                [key: string]: unknown;
            };
            message: string;
        } & {
            [key: string]: unknown;
        };
        SubmitApprovalsBody: {
            approvals: {
                metadata?: components["schemas"]["ApprovalMetadata"];
                /** @description Text; of passkeys and devices `{r, s}`. */
                signature: string | {
                    r: string;
                    s: string;
                };
                /** @description Locator of the approving signer; of a quorum, of the member. */
                signer: string | ({
                    locator: string;
                } & {
                    [key: string]: unknown;
                });
            }[];
        };
        Transaction: {
            approvals?: components["schemas"]["Approvals"];
            /** @enum {string} */
            chainType: "aptos" | "evm" | "solana" | "stellar" | "sui";
            /** Format: date-time */
            completedAt?: string;
            /** Format: date-time */
            createdAt: string;
            error?: {
                message: string;
                reason: string;
            } & {
                [key: string]: unknown;
            };
            fees?: {
                actual?: unknown;
                /** @description What the project pays for it, at the price of the day it was made. */
                billed?: {
                    usd: number;
                } & {
                    [key: string]: unknown;
                };
                billing?: {
                    /** @enum {string} */
                    status: "pending" | "settled" | "failed";
                } & {
                    [key: string]: unknown;
                };
                estimate?: unknown;
                /** @enum {string} */
                mode: "user-native" | "user-fungible" | "project";
            } & {
                [key: string]: unknown;
            };
            /** Format: uuid */
            id: string;
            onChain: {
                /** @description EVM: what the wallet calls, where it is one call only; `userOperation` is the whole operation. */
                call?: {
                    data: string;
                    to: string;
                } & {
                    [key: string]: unknown;
                };
                explorerLink?: string;
                /** @description Stellar: HashIdPreimage (XDR, base64) of what the wallet authorises; its SHA-256 is the `message` of the approvals. */
                preimage?: string;
                txId?: string;
                /** @description EVM, while somebody is asked to approve: EIP-712 typed data whose hash is the `message` of the approvals. */
                typedData?: {
                    [key: string]: unknown;
                };
                /** @description Solana smart wallets: 32 bytes in base58. The address of the wallet follows from them, the seed `vault` and the wallet program, which is not externally audited: no other program can act for it. */
                walletSeed?: string;
            } & {
                [key: string]: unknown;
            };
            params: {
                /** @description EVM: the call, where there is one only; `calls` holds it too. */
                call?: {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            /** @description From the simulation before anything was signed: `{balanceChanges[], gas, sponsored}`. */
            preview?: {
                [key: string]: unknown;
            };
            sendParams?: {
                params: {
                    recipient: string;
                    recipientAddress: string;
                } & {
                    [key: string]: unknown;
                };
                token: string;
            } & {
                [key: string]: unknown;
            };
            /** @enum {string} */
            status: "awaiting-approval" | "failed" | "pending" | "success";
            /** @enum {string} */
            walletType: "smart" | "mpc";
        } & {
            [key: string]: unknown;
        };
        TransferEvent: {
            /** Format: date-time */
            completedAt: string;
            error?: {
                message: string;
                reason: string;
            } & {
                [key: string]: unknown;
            };
            onChain?: {
                explorerLink?: string;
                txId: string;
            } & {
                [key: string]: unknown;
            };
            recipient: components["schemas"]["TransferParty"];
            sender: components["schemas"]["TransferParty"];
            /** @enum {string} */
            status: "succeeded" | "failed";
            token: {
                /** @description In whole tokens. */
                amount: string;
                chain: string;
                contractAddress?: string;
                contractId?: string;
                decimals: number;
                locator: string;
                mintHash?: string;
                /** @description In the smallest unit. */
                rawAmount: string;
                symbol?: string;
                /** @constant */
                type: "fungible";
            } & {
                [key: string]: unknown;
            };
            /** @description The transaction of this service that made the transfer, or an id of the event. */
            transferId?: string;
            /** @enum {string} */
            type: "wallets.transfer.in" | "wallets.transfer.out";
        } & {
            [key: string]: unknown;
        };
        TransferNotice: {
            /** Format: date-time */
            completedAt: string;
            error?: {
                message: string;
                reason: string;
            } & {
                [key: string]: unknown;
            };
            onChain?: {
                explorerLink?: string;
                txId: string;
            } & {
                [key: string]: unknown;
            };
            recipient: components["schemas"]["TransferParty"];
            sender: components["schemas"]["TransferParty"];
            /** @enum {string} */
            status: "succeeded" | "failed";
            token: {
                /** @description In whole tokens. */
                amount: string;
                chain: string;
                contractAddress?: string;
                contractId?: string;
                decimals: number;
                locator: string;
                mintHash?: string;
                /** @description In the smallest unit. */
                rawAmount: string;
                symbol?: string;
                /** @constant */
                type: "fungible";
            } & {
                [key: string]: unknown;
            };
            /** @description The transaction of this service that made the transfer, or an id of the event. */
            transferId?: string;
        } & {
            [key: string]: unknown;
        };
        TransferParty: {
            address: string;
            chain?: string;
            /** @description `<chain>:<address>` */
            locator: string;
            /** @description Owner of the wallet, when it is one of the project that the caller may see. */
            owner?: string;
        } & {
            [key: string]: unknown;
        };
        UpdateBrowserProfile: {
            label: string;
        };
        UpdateBuyerProfile: {
            contact?: {
                email?: string;
                phone?: string;
            };
            label?: string;
            name?: {
                first?: string;
                last?: string;
            };
            shipping?: {
                addressLines?: string[];
                administrativeAreaCode?: string | null;
                countryCode?: string;
                locality?: string;
                postalCode?: string | null;
            };
        };
        /** @description Billing details or `default`. Numbers never change: create a new method. */
        UpdatePaymentMethodBody: {
            /** @description As `billing`, in the shape of the answer. */
            bankAccount?: {
                billing: components["schemas"]["PaymentMethodBillingPatch"];
            };
            billing?: components["schemas"]["PaymentMethodBillingPatch"];
            /** @description As `billing`, in the shape of the answer. */
            card?: {
                billing: components["schemas"]["PaymentMethodBillingPatch"];
            };
            /** @description `true` makes it the default of its user; the previous one loses it. */
            default?: boolean;
        };
        /** @description A user. The four booleans say whether that block of data has been provided. */
        User: {
            dueDiligence: boolean;
            email?: string;
            kycData: boolean;
            legalDocuments: ({
                /** Format: date-time */
                acceptedAt: string;
                isValidVersion: boolean;
                type: string;
            } & {
                [key: string]: unknown;
            })[];
            phoneNumber?: string;
            userDetails: boolean;
            userId: string;
            verificationHistory: boolean;
        } & {
            [key: string]: unknown;
        };
        UserActionAcknowledgement: {
            acceptedAt: string;
            /** Format: uuid */
            actionId: string;
            /** Format: uuid */
            checkoutId: string;
            /** @constant */
            status: "accepted";
        } & {
            [key: string]: unknown;
        };
        UserDocument: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            documentId: string;
            /** @enum {string} */
            documentType: "id-ssn" | "id-passport" | "id-idcard-front" | "id-idcard-back" | "proof-of-address" | "proof-of-income";
        } & {
            [key: string]: unknown;
        };
        UserDocumentBody: {
            /** @description The file as base64: JPEG, PNG, WebP, HEIC or PDF, at most 10 MiB. What it is is read from its bytes, not from its name. */
            content: string;
            /** @enum {string} */
            documentType: "id-ssn" | "id-passport" | "id-idcard-front" | "id-idcard-back" | "proof-of-address" | "proof-of-income";
            /** @description The user of the path, once more. */
            userLocator?: string;
        };
        Wallet: {
            address: string;
            alias?: string;
            /** @enum {string} */
            chainType: "aptos" | "evm" | "solana" | "stellar" | "sui";
            config: {
                adminSigner?: components["schemas"]["Signer"];
                delegatedSigners?: components["schemas"]["Signer"][];
            } & {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            owner?: string;
            /** @enum {string} */
            type: "smart" | "mpc";
        } & {
            [key: string]: unknown;
        };
        WebhookAttempt: {
            /** @description The first KiB. */
            answer?: string;
            /** Format: date-time */
            at: string;
            durationMs: number;
            error?: string;
            statusCode?: number;
        } & {
            [key: string]: unknown;
        };
        WebhookDelivery: {
            /** @description Since it was queued last. */
            attemptCount: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            endpointId: string;
            /**
             * Format: uuid
             * @description The `webhook-id` that the receiver sees: the same for every attempt and every time it is sent again.
             */
            eventId: string;
            eventType: string;
            /** Format: date-time */
            finishedAt?: string;
            /** Format: uuid */
            id: string;
            /**
             * @description Why it was queued last; `resend`: by hand, once more.
             * @enum {string}
             */
            kind: "event" | "test" | "resend" | "replay";
            /** @description Events of one object are sent in order. */
            object: string;
            /** @enum {string} */
            status: "pending" | "retrying" | "delivered" | "failed";
        };
        WebhookDeliveryDetails: {
            /** @description Since it was queued last. */
            attemptCount: number;
            attempts: components["schemas"]["WebhookAttempt"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            endpointId: string;
            /**
             * Format: uuid
             * @description The `webhook-id` that the receiver sees: the same for every attempt and every time it is sent again.
             */
            eventId: string;
            eventType: string;
            /** Format: date-time */
            finishedAt?: string;
            /** Format: uuid */
            id: string;
            /**
             * @description Why it was queued last; `resend`: by hand, once more.
             * @enum {string}
             */
            kind: "event" | "test" | "resend" | "replay";
            /**
             * Format: date-time
             * @description Absent when it has ended, or waits for an earlier event of the same object.
             */
            nextAttemptAt?: string;
            /** @description Events of one object are sent in order. */
            object: string;
            /** @description What is sent. */
            payload: unknown;
            /** @enum {string} */
            status: "pending" | "retrying" | "delivered" | "failed";
        };
        WebhookDeliveryPage: {
            deliveries: components["schemas"]["WebhookDelivery"][];
            nextCursor?: string;
        };
        WebhookEndpoint: {
            /** Format: date-time */
            createdAt: string;
            description?: string;
            /** Format: date-time */
            disabledAt?: string;
            /** @enum {string} */
            disabledReason?: "asked" | "gone" | "failing";
            /** @description Absent: all. */
            events?: string[];
            /**
             * Format: date-time
             * @description First failed attempt after the last success.
             */
            failingSince?: string;
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description The receiver asked for it with Retry-After.
             */
            pausedUntil?: string;
            /** @enum {string} */
            status: "enabled" | "disabled";
            /** Format: date-time */
            updatedAt: string;
            url: string;
        };
        WebhookEndpointPage: {
            endpoints: components["schemas"]["WebhookEndpoint"][];
            nextCursor?: string;
        };
        WebhookReplay: {
            /** Format: date-time */
            createdAt: string;
            delivered: number;
            /** Format: uuid */
            endpointId: string;
            events?: string[];
            failed: number;
            /** Format: date-time */
            finishedAt?: string;
            /** Format: date-time */
            from: string;
            /** Format: uuid */
            id: string;
            /** @description Of these: not sent yet. */
            pending: number;
            /** @description Deliveries queued so far. */
            queued: number;
            /**
             * @description `completed`: all are queued.
             * @enum {string}
             */
            status: "running" | "completed" | "canceled";
            /** Format: date-time */
            to: string;
        };
        WebhookReplayPage: {
            nextCursor?: string;
            replays: components["schemas"]["WebhookReplay"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listOrders: {
        parameters: {
            query?: {
                /** @description `nextCursor` or `previousCursor` of an answer with the same filters. */
                cursor?: string;
                /** @description Comma-separated: `not-started`, `in-progress`, `partial-delivery`, `delivered`, `failed`. */
                deliveryStatus?: string;
                /** @description Orders per page, 1 to 100; 30 when absent. */
                limit?: string;
                /**
                 * @description Comma-separated order ids.
                 * @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a,07a86d47-7042-4106-883d-0f432e57191a,d8148de0-1a5d-47bf-8f79-7d09bdf9ce68,c345cea8-d3df-4a89-8716-acabd357990d,b1186d96-4dcc-4ad5-8aa3-16bb36b498ee,9f91463d-e41d-4cb8-8d97-ac1a879ee05b,6c30b8f6-e9d8-46eb-8ed8-09323e8dd5f5,89a7f8fb-f8cc-4dff-83d2-d50e2210a026,c4a4803e-ef0f-4faa-8e7b-ec99b56662f7,fff83946-1e48-4581-8eff-e585c843ccf6,3010a57c-008e-4470-8ce7-df28a8458a81,7b08bcaf-53c0-4d03-808b-9470ff15d990,1c48a6b5-e9f1-42a9-88b2-de93d8b95ebc,5206a4fc-9c89-4eae-85e8-8079c72c7962,2ed9822b-e4ad-45ce-8c9c-e91a39e3b08c,a66a5d32-a57b-4f8f-8f9f-f1d7850ccb83,69433b1a-c39c-4a30-88ed-b95f49979777,477a6aa6-e10f-4cef-85cb-1b48fae90ad7,cad8b61f-5cf2-41d4-83a5-b597f55e2a2b,5fed0b12-362a-4ecd-8283-c7dae17285c3
                 */
                orderId?: string;
                /** @description Comma-separated currencies of `payment.totalPaid`; `fiat` stands for all fiat currencies. */
                paymentMethod?: string;
                /** @description Comma-separated: `quote-phase`, `in-progress`, `succeeded`, `declined`, `expired`, `refunded`. */
                paymentStatus?: string;
                /** @description Comma-separated wallet addresses that tokens are delivered to. */
                recipientAddress?: string;
                /** @description By creation; `desc`, newest first, when absent. */
                sort?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of orders. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "orderId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *           "phase": "payment",
                     *           "locale": "en-US",
                     *           "lineItems": [
                     *             {
                     *               "chain": "base-sepolia",
                     *               "tokenLocator": "base-sepolia:usdc",
                     *               "executionMode": "exact-in",
                     *               "executionParams": {
                     *                 "mode": "exact-in",
                     *                 "amount": "100",
                     *                 "effectiveAmount": "100"
                     *               },
                     *               "maxSlippageBps": "100",
                     *               "quantity": 1,
                     *               "metadata": {
                     *                 "name": "usdc",
                     *                 "description": "Purchase of usdc",
                     *                 "imageUrl": "data:image/svg+xml;base64,PHN2Zy8+"
                     *               },
                     *               "quote": {
                     *                 "status": "valid",
                     *                 "charges": {
                     *                   "unit": {
                     *                     "amount": "100",
                     *                     "currency": "usd"
                     *                   },
                     *                   "fees": [],
                     *                   "salesTax": {
                     *                     "amount": "0",
                     *                     "currency": "usd"
                     *                   },
                     *                   "shipping": {
                     *                     "amount": "0",
                     *                     "currency": "usd"
                     *                   }
                     *                 },
                     *                 "totalPrice": {
                     *                   "amount": "100",
                     *                   "currency": "usd"
                     *                 },
                     *                 "quantityRange": {
                     *                   "lowerBound": "99",
                     *                   "upperBound": "100"
                     *                 }
                     *               },
                     *               "delivery": {
                     *                 "status": "awaiting-payment"
                     *               }
                     *             }
                     *           ],
                     *           "quote": {
                     *             "status": "valid",
                     *             "quotedAt": "2026-01-15T12:00:00.000Z",
                     *             "expiresAt": "2026-01-15T12:00:00.000Z",
                     *             "totalPrice": {
                     *               "amount": "100",
                     *               "currency": "usd"
                     *             }
                     *           },
                     *           "payment": {
                     *             "status": "awaiting-payment",
                     *             "method": "card",
                     *             "currency": "usd"
                     *           },
                     *           "legal": {
                     *             "requirements": []
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": null,
                     *       "previousCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["OrderList"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `timeout`: A timeout occurred. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "recipient": {
                 *         "walletAddress": "0x07a86D4770426106883D0f432e57191a4AbAf253"
                 *       },
                 *       "payment": {
                 *         "method": "card"
                 *       },
                 *       "lineItems": [
                 *         {
                 *           "tokenLocator": "base-sepolia:usdc",
                 *           "executionParameters": {
                 *             "mode": "exact-in",
                 *             "amount": "20"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateOrderBody"];
            };
        };
        responses: {
            /** @description The order, and the secret that opens it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "clientSecret": "d8148de01a5d37bf3f797d09bdf9ce6863e0609fb65cf6",
                     *       "order": {
                     *         "orderId": "c345cea8-d3df-4a89-8716-acabd357990d",
                     *         "phase": "payment",
                     *         "locale": "en-US",
                     *         "lineItems": [
                     *           {
                     *             "chain": "base-sepolia",
                     *             "tokenLocator": "base-sepolia:usdc",
                     *             "executionMode": "exact-in",
                     *             "executionParams": {
                     *               "mode": "exact-in",
                     *               "amount": "20",
                     *               "effectiveAmount": "18.92"
                     *             },
                     *             "maxSlippageBps": "100",
                     *             "quantity": 1,
                     *             "metadata": {
                     *               "name": "USD Coin",
                     *               "description": "Purchase of USD Coin",
                     *               "imageUrl": "data:image/svg+xml;base64,PHN2Zy8+"
                     *             },
                     *             "quote": {
                     *               "status": "valid",
                     *               "charges": {
                     *                 "unit": {
                     *                   "amount": "18.92",
                     *                   "currency": "usd"
                     *                 },
                     *                 "fees": [
                     *                   {
                     *                     "type": "service",
                     *                     "amount": "0.2",
                     *                     "currency": "usd"
                     *                   },
                     *                   {
                     *                     "type": "card",
                     *                     "amount": "0.88",
                     *                     "currency": "usd"
                     *                   }
                     *                 ],
                     *                 "salesTax": {
                     *                   "amount": "0",
                     *                   "currency": "usd"
                     *                 },
                     *                 "shipping": {
                     *                   "amount": "0",
                     *                   "currency": "usd"
                     *                 }
                     *               },
                     *               "totalPrice": {
                     *                 "amount": "20",
                     *                 "currency": "usd"
                     *               },
                     *               "quantityRange": {
                     *                 "lowerBound": "18.7308",
                     *                 "upperBound": "18.92"
                     *               }
                     *             },
                     *             "delivery": {
                     *               "status": "awaiting-payment",
                     *               "recipient": {
                     *                 "locator": "base-sepolia:0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *                 "walletAddress": "0x07a86D4770426106883D0f432e57191a4AbAf253"
                     *               }
                     *             }
                     *           }
                     *         ],
                     *         "quote": {
                     *           "status": "valid",
                     *           "quotedAt": "2026-01-15T12:00:00.000Z",
                     *           "expiresAt": "2026-01-15T12:10:00.000Z",
                     *           "totalPrice": {
                     *             "amount": "20",
                     *             "currency": "usd"
                     *           }
                     *         },
                     *         "payment": {
                     *           "status": "requires-email",
                     *           "method": "card",
                     *           "currency": "usd"
                     *         },
                     *         "legal": {
                     *           "requirements": []
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedOrder"];
                };
            };
            /**
             * @description `payment-method-not-supported`: The payment method is not supported.
             *
             *     `chain-not-supported`: The chain is not supported here.
             *
             *     `token-not-supported`: The token is not supported on this chain.
             *
             *     `rail-not-supported`: The rail is not supported by this payment method.
             *
             *     `amount-below-minimum`: The amount is below the minimum.
             *
             *     `single_purchase_exceeded`: The single purchase limit is exceeded.
             *
             *     `daily_transaction_exceeded`: The daily transaction limit is exceeded.
             *
             *     `monthly_transaction_exceeded`: The monthly transaction limit is exceeded.
             *
             *     `limits:token-daily-volume.exceeded`: The daily volume of the token is exceeded.
             *
             *     `ExternalWalletNotLinkedToUserError`: The wallet is not linked to the user.
             *
             *     `payer-wallet-mismatch`: The payer wallet belongs to another user.
             *
             *     `sanctioned-address`: The address is blocked.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payment-method-not-found`: Payment method not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `conflict`: The object was changed at the same time: read it again and retry.
             *
             *     `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-reused`: The idempotency key was used with another body: send a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `timeout`: A timeout occurred. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "orderId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "phase": "completed",
                     *       "locale": "en-US",
                     *       "lineItems": [
                     *         {
                     *           "chain": "base-sepolia",
                     *           "tokenLocator": "base-sepolia:usdc",
                     *           "executionMode": "exact-in",
                     *           "executionParams": {
                     *             "mode": "exact-in",
                     *             "amount": "20",
                     *             "effectiveAmount": "19.8"
                     *           },
                     *           "maxSlippageBps": "100",
                     *           "quantity": 1,
                     *           "metadata": {
                     *             "name": "USD Coin",
                     *             "description": "Purchase of USD Coin",
                     *             "imageUrl": "data:image/svg+xml;base64,PHN2Zy8+"
                     *           },
                     *           "quote": {
                     *             "status": "valid",
                     *             "charges": {
                     *               "unit": {
                     *                 "amount": "19.8",
                     *                 "currency": "usd"
                     *               },
                     *               "fees": [
                     *                 {
                     *                   "type": "service",
                     *                   "amount": "0.2",
                     *                   "currency": "usd"
                     *                 }
                     *               ],
                     *               "salesTax": {
                     *                 "amount": "0",
                     *                 "currency": "usd"
                     *               },
                     *               "shipping": {
                     *                 "amount": "0",
                     *                 "currency": "usd"
                     *               }
                     *             },
                     *             "totalPrice": {
                     *               "amount": "20",
                     *               "currency": "usd"
                     *             },
                     *             "quantityRange": {
                     *               "lowerBound": "19.602",
                     *               "upperBound": "19.8"
                     *             }
                     *           },
                     *           "delivery": {
                     *             "status": "completed",
                     *             "completedAt": "2026-01-15T12:00:01.000Z",
                     *             "recipient": {
                     *               "locator": "base-sepolia:0xD8148DE01a5D37bf3f797d09bdf9cE6863e0609f",
                     *               "email": "gift@example.com",
                     *               "walletAddress": "0xD8148DE01a5D37bf3f797d09bdf9cE6863e0609f"
                     *             },
                     *             "txId": "0xb1186d964dcccad59aa316bb36b498ee8a6a139f4703283d5c47a0e4530f8fab",
                     *             "tokens": [
                     *               {
                     *                 "locator": "base-sepolia:0x6c30B8f6E9d856EBCeD809323e8dd5F59299705B",
                     *                 "contractAddress": "0x6c30B8f6E9d856EBCeD809323e8dd5F59299705B",
                     *                 "quantity": "19.8",
                     *                 "symbol": "usdc",
                     *                 "decimals": 6
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "quote": {
                     *         "status": "valid",
                     *         "quotedAt": "2026-01-15T12:00:00.000Z",
                     *         "expiresAt": "2026-01-15T12:10:01.000Z",
                     *         "totalPrice": {
                     *           "amount": "20",
                     *           "currency": "usdxm"
                     *         }
                     *       },
                     *       "payment": {
                     *         "status": "completed",
                     *         "method": "base-sepolia",
                     *         "currency": "usdxm",
                     *         "received": {
                     *           "amount": "20",
                     *           "currency": "usdxm",
                     *           "chain": "base-sepolia",
                     *           "txId": "0xc4a4803eef0f7faabe7bec99b56662f723b8dedcfc6863ecde45802edb9d45ec"
                     *         },
                     *         "totalPaid": {
                     *           "amount": "20",
                     *           "currency": "usdxm"
                     *         }
                     *       },
                     *       "legal": {
                     *         "requirements": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `order-not-found`: Order not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `timeout`: A timeout occurred. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "payment": {
                 *         "method": "card",
                 *         "receiptEmail": "buyer@example.com"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PatchOrderBody"];
            };
        };
        responses: {
            /** @description The order as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "orderId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "phase": "payment",
                     *       "locale": "en-US",
                     *       "lineItems": [
                     *         {
                     *           "chain": "base-sepolia",
                     *           "tokenLocator": "base-sepolia:usdc",
                     *           "executionMode": "exact-in",
                     *           "executionParams": {
                     *             "mode": "exact-in",
                     *             "amount": "20",
                     *             "effectiveAmount": "18.92"
                     *           },
                     *           "maxSlippageBps": "100",
                     *           "quantity": 1,
                     *           "metadata": {
                     *             "name": "USD Coin",
                     *             "description": "Purchase of USD Coin",
                     *             "imageUrl": "data:image/svg+xml;base64,PHN2Zy8+"
                     *           },
                     *           "quote": {
                     *             "status": "valid",
                     *             "charges": {
                     *               "unit": {
                     *                 "amount": "18.92",
                     *                 "currency": "usd"
                     *               },
                     *               "fees": [
                     *                 {
                     *                   "type": "service",
                     *                   "amount": "0.2",
                     *                   "currency": "usd"
                     *                 },
                     *                 {
                     *                   "type": "card",
                     *                   "amount": "0.88",
                     *                   "currency": "usd"
                     *                 }
                     *               ],
                     *               "salesTax": {
                     *                 "amount": "0",
                     *                 "currency": "usd"
                     *               },
                     *               "shipping": {
                     *                 "amount": "0",
                     *                 "currency": "usd"
                     *               }
                     *             },
                     *             "totalPrice": {
                     *               "amount": "20",
                     *               "currency": "usd"
                     *             },
                     *             "quantityRange": {
                     *               "lowerBound": "18.7308",
                     *               "upperBound": "18.92"
                     *             }
                     *           },
                     *           "delivery": {
                     *             "status": "awaiting-payment",
                     *             "recipient": {
                     *               "locator": "base-sepolia:0xD8148DE01a5D37bf3f797d09bdf9cE6863e0609f",
                     *               "walletAddress": "0xD8148DE01a5D37bf3f797d09bdf9cE6863e0609f"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "quote": {
                     *         "status": "valid",
                     *         "quotedAt": "2026-01-15T12:00:00.000Z",
                     *         "expiresAt": "2026-01-15T12:10:00.000Z",
                     *         "totalPrice": {
                     *           "amount": "20",
                     *           "currency": "usd"
                     *         }
                     *       },
                     *       "payment": {
                     *         "status": "awaiting-payment",
                     *         "method": "card",
                     *         "currency": "usd",
                     *         "preparation": {
                     *           "card": {
                     *             "provider": "sandbox",
                     *             "publicKey": "pk_sandbox",
                     *             "clientSecret": "c345cea8d3df5a892716acabd357990df3fc9fe9f2f67c36f94a014fea17257819ae45fe6f38f865933c5",
                     *             "url": "http://127.0.0.1:3000/api/sandbox/card/cpay_1e94f27ff826961b09c4ea31b4785d32?key=c345cea8d3df5a892716acabd357990df3fc9fe9f2f67c36f94a014fea17257819ae45fe6f38f865933c5"
                     *           }
                     *         },
                     *         "receiptEmail": "buyer@example.com"
                     *       },
                     *       "legal": {
                     *         "requirements": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            /**
             * @description `payment-method-not-supported`: The payment method is not supported.
             *
             *     `chain-not-supported`: The chain is not supported here.
             *
             *     `token-not-supported`: The token is not supported on this chain.
             *
             *     `rail-not-supported`: The rail is not supported by this payment method.
             *
             *     `amount-below-minimum`: The amount is below the minimum.
             *
             *     `single_purchase_exceeded`: The single purchase limit is exceeded.
             *
             *     `daily_transaction_exceeded`: The daily transaction limit is exceeded.
             *
             *     `monthly_transaction_exceeded`: The monthly transaction limit is exceeded.
             *
             *     `limits:token-daily-volume.exceeded`: The daily volume of the token is exceeded.
             *
             *     `ExternalWalletNotLinkedToUserError`: The wallet is not linked to the user.
             *
             *     `payer-wallet-mismatch`: The payer wallet belongs to another user.
             *
             *     `sanctioned-address`: The address is blocked.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `order-not-found`: Order not found.
             *
             *     `payment-method-not-found`: Payment method not found.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `order-not-editable`: The order cannot be changed in this phase.
             *
             *     `conflict`: The object was changed at the same time: read it again and retry.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `timeout`: A timeout occurred. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postOrderPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "crypto-tx-id",
                 *       "txId": "0xd8148de01a5d37bf3f797d09bdf9ce6863e0609fb65cf602ad987d31e63101ba"
                 *     }
                 */
                "application/json": components["schemas"]["PostOrderPaymentBody"];
            };
        };
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "orderId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "phase": "payment",
                     *       "locale": "en-US",
                     *       "lineItems": [
                     *         {
                     *           "chain": "base-sepolia",
                     *           "currencyLocator": "fiat:usd",
                     *           "executionMode": "exact-in",
                     *           "executionParams": {
                     *             "mode": "exact-in",
                     *             "amount": "100",
                     *             "outFiatCurrency": "usd",
                     *             "effectiveAmount": "99"
                     *           },
                     *           "maxSlippageBps": "100",
                     *           "quantity": 1,
                     *           "metadata": {
                     *             "name": "USD",
                     *             "description": "Payout of USDC in USD",
                     *             "imageUrl": "data:image/svg+xml;base64,PHN2Zy8+"
                     *           },
                     *           "quote": {
                     *             "status": "valid",
                     *             "charges": {
                     *               "unit": {
                     *                 "amount": "99",
                     *                 "currency": "usd"
                     *               },
                     *               "fees": [
                     *                 {
                     *                   "type": "service",
                     *                   "amount": "1",
                     *                   "currency": "usd"
                     *                 }
                     *               ],
                     *               "salesTax": {
                     *                 "amount": "0",
                     *                 "currency": "usd"
                     *               },
                     *               "shipping": {
                     *                 "amount": "0",
                     *                 "currency": "usd"
                     *               }
                     *             },
                     *             "totalPrice": {
                     *               "amount": "100",
                     *               "currency": "usd"
                     *             },
                     *             "quantityRange": {
                     *               "lowerBound": "98.01",
                     *               "upperBound": "99"
                     *             }
                     *           },
                     *           "delivery": {
                     *             "status": "awaiting-payment",
                     *             "recipient": {
                     *               "locator": "userId:alice",
                     *               "paymentMethodId": "c345cea8-d3df-4a89-8716-acabd357990d"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "quote": {
                     *         "status": "valid",
                     *         "quotedAt": "2026-01-15T12:00:00.000Z",
                     *         "expiresAt": "2026-01-15T12:10:00.000Z",
                     *         "totalPrice": {
                     *           "amount": "100",
                     *           "currency": "usdc"
                     *         }
                     *       },
                     *       "payment": {
                     *         "status": "awaiting-payment",
                     *         "method": "base-sepolia",
                     *         "currency": "usdc",
                     *         "preparation": {
                     *           "chain": "base-sepolia",
                     *           "payerAddress": "0x9F91463De41DbCB81D97Ac1A879ee05b1C27b17c",
                     *           "recipientAddress": "0x89A7f8fBF8ccedFff3d2d50E2210a02606A3117E",
                     *           "serializedTransaction": "0xfff839461e4855818effe585c843ccf60d8de0e9b67bae03fbc698b2d19499d5ac2f62df0b75919c8d9045bb55980da351e1600c08471b9e69aa760533f04f9fff",
                     *           "transactionParameters": {
                     *             "memo": "0x7b08bcaf53c08d03d08b9470ff15d9906fc31bc2d9bef4d62ef710ce4927ac7c",
                     *             "amount": "100000000"
                     *           }
                     *         },
                     *         "receiptEmail": "alice@example.com"
                     *       },
                     *       "legal": {
                     *         "requirements": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            /**
             * @description `payment-method-not-supported`: The payment method is not supported.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `order-not-found`: Order not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `quote-expired`: The quote has expired.
             *
             *     `order-not-editable`: The order cannot be changed in this phase.
             *
             *     `tx-id-already-used`: The transaction belongs to another order.
             *
             *     `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-reused`: The idempotency key was used with another body: send a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `timeout`: A timeout occurred. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example email:erin@gmail.com */
                userLocator: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "userId": "erin",
                     *       "email": "erin@gmail.com",
                     *       "userDetails": true,
                     *       "kycData": false,
                     *       "dueDiligence": false,
                     *       "verificationHistory": false,
                     *       "legalDocuments": [
                     *         {
                     *           "type": "svc-privacy-policy",
                     *           "acceptedAt": "2026-01-15T12:00:00.000Z",
                     *           "isValidVersion": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `validation-error`: The request is not valid.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `user-not-found`: User not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example email:Some.Body@Gmail.com */
                userLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["PutUserBody"];
            };
        };
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "userId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "email": "somebody@gmail.com",
                     *       "userDetails": false,
                     *       "kycData": false,
                     *       "dueDiligence": false,
                     *       "verificationHistory": false,
                     *       "legalDocuments": []
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `project:addon.required`: The project is not configured for this product.
             *
             *     `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `user-not-found`: User not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: The object was changed at the same time: read it again and retry. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    uploadDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                /** @example userId:alice */
                userLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "documentType": "id-passport",
                 *       "content": "AAAAGGZ0eXBoZWljAAAAAGhlaWNtaWYx"
                 *     }
                 */
                "application/json": components["schemas"]["UserDocumentBody"];
            };
        };
        responses: {
            /** @description The document, without its content. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "documentId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "documentType": "id-passport",
                     *       "createdAt": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UserDocument"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `project:addon.required`: The project is not configured for this product.
             *
             *     `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `user-not-found`: User not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `conflict`: The object was changed at the same time: read it again and retry.
             *
             *     `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-reused`: The idempotency key was used with another body: send a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                documentId: string;
                /** @example userId:alice */
                userLocator: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, without its content. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "documentId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "documentType": "id-idcard-back",
                     *       "createdAt": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UserDocument"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `validation-error`: The request is not valid.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `project:addon.required`: The project is not configured for this product.
             *
             *     `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `user-not-found`: User not found.
             *
             *     `document-not-found`: Document not found.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getIdentityVerification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example userId:person17 */
                userLocator: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The eligibility list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "eligibility": [
                     *         {
                     *           "type": "onramp",
                     *           "status": "requires-data",
                     *           "missingData": [],
                     *           "missingDocuments": [
                     *             "id"
                     *           ]
                     *         },
                     *         {
                     *           "type": "onramp-light",
                     *           "status": "requires-data",
                     *           "missingData": [],
                     *           "missingDocuments": [
                     *             "id"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Eligibility"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `validation-error`: The request is not valid.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `project:addon.required`: The project is not configured for this product.
             *
             *     `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `user-not-found`: User not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    startIdentityVerification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example userId:person17 */
                userLocator: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The eligibility list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "eligibility": [
                     *         {
                     *           "type": "onramp",
                     *           "status": "requires-data",
                     *           "missingData": [],
                     *           "missingDocuments": [
                     *             "id"
                     *           ]
                     *         },
                     *         {
                     *           "type": "onramp-light",
                     *           "status": "requires-data",
                     *           "missingData": [],
                     *           "missingDocuments": [
                     *             "id"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Eligibility"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `validation-error`: The request is not valid.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `project:addon.required`: The project is not configured for this product.
             *
             *     `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `user-not-found`: User not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: The object was changed at the same time: read it again and retry. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    acceptLegalDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example email:person32@example.com */
                userLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "svc-privacy-policy",
                 *       "acceptedAt": "2026-01-15T12:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["LegalDocumentBody"];
            };
        };
        responses: {
            /** @description When it was accepted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "acceptedAt": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["LegalDocumentAcceptance"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `user-not-found`: User not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: The object was changed at the same time: read it again and retry. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLinkedWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0x07a86D4770426106883D0f432e57191a4AbAf253 */
                address: string;
                /** @example userId:owner1 */
                userLocator: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The linked wallet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "address": "0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *       "chain": "base-sepolia",
                     *       "type": "external-wallet",
                     *       "ownership": {
                     *         "verified": false,
                     *         "verificationChallenge": "purser.test wants you to sign in with your Ethereum account:\n0x07a86D4770426106883D0f432e57191a4AbAf253\n\nConfirm that this wallet is yours, to link it to your account at purser.test. This costs nothing and moves nothing.\n\nURI: http://127.0.0.1\nVersion: 1\nChain ID: 84532\nNonce: e6a0625bc3d667bdaa1100976685b0a4\nIssued At: 2026-01-15T12:00:00.000Z\nExpiration Time: 2026-01-15T12:15:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LinkedWallet"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `validation-error`: The request is not valid.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `user-not-found`: User not found.
             *
             *     `linked-wallet-not-found`: Linked wallet not found.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    linkWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0x07a86d4770426106883d0f432e57191a4abaf253f73c964bfb2d8fd4f009175c */
                address: string;
                /** @example userId:owner71 */
                userLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "chain": "aptos"
                 *     }
                 */
                "application/json": components["schemas"]["LinkWalletBody"];
            };
        };
        responses: {
            /** @description The linked wallet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "address": "0x07a86d4770426106883d0f432e57191a4abaf253f73c964bfb2d8fd4f009175c",
                     *       "chain": "aptos",
                     *       "type": "external-wallet",
                     *       "ownership": {
                     *         "verified": false,
                     *         "verificationChallenge": "purser.test wants you to sign in with your Aptos account:\n0x07a86d4770426106883d0f432e57191a4abaf253f73c964bfb2d8fd4f009175c\n\nConfirm that this wallet is yours, to link it to your account at purser.test. This costs nothing and moves nothing.\n\nURI: http://127.0.0.1\nVersion: 1\nChain ID: 2\nNonce: 102f43c290f5ca681104c43b4f7868c8\nIssued At: 2026-01-15T12:00:00.000Z\nExpiration Time: 2026-01-15T12:15:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LinkedWallet"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `chain-not-supported`: The chain is not supported here.
             *
             *     `invalid-proof`: The ownership proof does not verify.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `user-not-found`: User not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `wallet-linked-to-other-user`: The wallet is linked to another user.
             *
             *     `conflict`: The object was changed at the same time: read it again and retry.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upstream-error`: A node or provider answered wrongly. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "chainType": "evm",
                 *       "type": "smart",
                 *       "config": {
                 *         "adminSigner": {
                 *           "type": "api-key"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateWalletBody"];
            };
        };
        responses: {
            /** @description The owner, or the idempotency key, had this wallet already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chainType": "evm",
                     *       "type": "smart",
                     *       "address": "0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *       "config": {
                     *         "adminSigner": {
                     *           "type": "api-key",
                     *           "locator": "api-key:0xc345CEa8d3dF5a892716AcaBD357990DF3Fc9fe9",
                     *           "address": "0xc345CEa8d3dF5a892716AcaBD357990DF3Fc9fe9"
                     *         },
                     *         "delegatedSigners": []
                     *       },
                     *       "createdAt": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chainType": "evm",
                     *       "type": "smart",
                     *       "address": "0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *       "config": {
                     *         "adminSigner": {
                     *           "type": "api-key",
                     *           "locator": "api-key:0xc345CEa8d3dF5a892716AcaBD357990DF3Fc9fe9",
                     *           "address": "0xc345CEa8d3dF5a892716AcaBD357990DF3Fc9fe9"
                     *         },
                     *         "delegatedSigners": []
                     *       },
                     *       "createdAt": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `chain-not-supported`: The chain is not supported here.
             *
             *     `wallet-already-exists`: A wallet with this creation seed and these signers exists already.
             *
             *     `WALLET_TYPE_NOT_SUPPORTED`: This wallet type is not supported on this chain type.
             *
             *     `DEVICE_SIGNER_NOT_SUPPORTED`: Device signers are not supported here.
             *
             *     `signer-type-not-supported`: This signer type is not supported here.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-reused`: The idempotency key was used with another body: send a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0x07a86d4770426106883d0f432e57191a4abaf253 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chainType": "evm",
                     *       "type": "smart",
                     *       "address": "0x07a86d4770426106883d0f432e57191a4abaf253",
                     *       "config": {
                     *         "adminSigner": {
                     *           "type": "api-key",
                     *           "address": "0xc345cea8d3df5a892716acabd357990df3fc9fe9",
                     *           "locator": "api-key:0xc345cea8d3df5a892716acabd357990df3fc9fe9"
                     *         },
                     *         "delegatedSigners": [
                     *           {
                     *             "type": "external-wallet",
                     *             "address": "0x9f91463de41dbcb81d97ac1a879ee05b1c27b17c",
                     *             "locator": "external-wallet:0x9f91463de41dbcb81d97ac1a879ee05b1c27b17c",
                     *             "scopes": [
                     *               {
                     *                 "type": "transfer",
                     *                 "recipients": [
                     *                   "0x89A7f8fBF8ccedFff3d2d50E2210a02606A3117E"
                     *                 ],
                     *                 "tokenLocator": "base-sepolia:USDC",
                     *                 "spendingLimit": {
                     *                   "amount": "12.50",
                     *                   "interval": 86400
                     *                 }
                     *               }
                     *             ],
                     *             "expiresAt": "2026-02-01T00:00:00.000Z"
                     *           }
                     *         ]
                     *       },
                     *       "createdAt": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `validation-error`: The request is not valid.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wallet-not-found`: Wallet not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWalletBalances: {
        parameters: {
            query: {
                /**
                 * @description Comma-separated chain names. When absent: the chains on which this wallet has transactions or transfers, in the order of first use, at most 10; before the first one, `base` in production and `base-sepolia` elsewhere, or the first configured network. Chains that `tokens` names are read too; if every token names its chain, only those.
                 * @example base-sepolia,polygon-amoy
                 */
                chains?: string;
                /**
                 * @description Comma-separated symbols (`eth,usdc`) or token locators (`base-sepolia:0x…`).
                 * @example usdc
                 */
                tokens: string;
            };
            header?: never;
            path: {
                /** @example 0x07a86D4770426106883D0f432e57191a4AbAf253 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balances: an object, or with the header `x-client-name` a list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "nativeToken": {
                     *         "symbol": "eth",
                     *         "decimals": 18,
                     *         "balance": "0",
                     *         "balanceUSD": "0",
                     *         "chains": {
                     *           "base-sepolia": "0"
                     *         }
                     *       },
                     *       "tokens": [
                     *         {
                     *           "symbol": "usdc",
                     *           "decimals": 6,
                     *           "balance": "0",
                     *           "balanceUSD": "0",
                     *           "address": "0xc345CEa8d3dF5a892716AcaBD357990DF3Fc9fe9",
                     *           "chain": "base-sepolia"
                     *         },
                     *         {
                     *           "symbol": "usdc",
                     *           "decimals": 6,
                     *           "balance": "0",
                     *           "balanceUSD": "0",
                     *           "address": "0x9F91463De41DbCB81D97Ac1A879ee05b1C27b17c",
                     *           "chain": "polygon-amoy"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Balances"] | components["schemas"]["BalancesList"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `chain-not-supported`: The chain is not supported here.
             *
             *     `token-not-supported`: The token is not supported on this chain.
             *
             *     `validation-error`: The request is not valid.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wallet-not-found`: Wallet not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upstream-error`: A node or provider answered wrongly. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWalletNfts: {
        parameters: {
            query?: {
                /** @description From 1; default 1. */
                page?: string;
                /** @description 1 to 50; default 10. */
                perPage?: string;
            };
            header?: never;
            path: {
                /**
                 * @description `<chain>:<walletAddress>`
                 * @example base-sepolia:0x07a86D4770426106883D0f432e57191a4AbAf253
                 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of collectibles, the latest arrival first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "chain": "base-sepolia",
                     *         "contractAddress": "0xc345cea8d3df5a892716acabd357990df3fc9fe9",
                     *         "tokenId": "7",
                     *         "amount": "4",
                     *         "metadata": {
                     *           "name": "No. 0000000000000000000000000000000000000000000000000000000000000007"
                     *         }
                     *       },
                     *       {
                     *         "chain": "base-sepolia",
                     *         "contractAddress": "0xc345cea8d3df5a892716acabd357990df3fc9fe9",
                     *         "tokenId": "8",
                     *         "amount": "1",
                     *         "metadata": {
                     *           "name": "No. 0000000000000000000000000000000000000000000000000000000000000008"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Nfts"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `chain-not-supported`: The chain is not supported here.
             *
             *     `validation-error`: The request is not valid.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wallet-not-found`: Wallet not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSignatures: {
        parameters: {
            query?: {
                page?: string;
                /** @description Default 10, at most 100. */
                perPage?: string;
            };
            header?: never;
            path: {
                /** @example 0x07a86d4770426106883d0f432e57191a4abaf253 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "signatures": []
                     *     }
                     */
                    "application/json": {
                        signatures: components["schemas"]["Signature"][];
                    };
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `validation-error`: The request is not valid.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wallet-not-found`: Wallet not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createSignature: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                /** @example 0x07a86D4770426106883D0f432e57191a4AbAf253 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "message",
                 *       "params": {
                 *         "chain": "base",
                 *         "message": "hi"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateSignatureBody"];
            };
        };
        responses: {
            /** @description Created; awaiting approvals, or signed. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "d8148de0-1a5d-47bf-8f79-7d09bdf9ce68",
                     *       "chainType": "evm",
                     *       "walletType": "smart",
                     *       "type": "message",
                     *       "status": "success",
                     *       "params": {
                     *         "message": "hi",
                     *         "chain": "base-sepolia",
                     *         "signer": {
                     *           "type": "api-key",
                     *           "address": "0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f",
                     *           "locator": "api-key:0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f"
                     *         }
                     *       },
                     *       "approvals": {
                     *         "pending": [],
                     *         "submitted": []
                     *       },
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "completedAt": "2026-01-15T12:00:01.000Z",
                     *       "outputSignature": "0x6c30b8f6e9d856ebced809323e8dd5f59299705b11d2adfe6512da20919ff58ec774b8d2a182e346c06862e4cf9cc6585a7ac2a0de5f5748c82b2ec3637102bc6c"
                     *     }
                     */
                    "application/json": components["schemas"]["Signature"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `chain-not-supported`: The chain is not supported here.
             *
             *     `signature-type-not-supported`: This signature type is not supported by the wallet.
             *
             *     `transaction-invalid`: The transaction does not suit the wallet.
             *
             *     `signer-expired`: The signer has expired.
             *
             *     `signer-scope-violation`: The operation is outside the scopes of the signer.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wallet-not-found`: Wallet not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-reused`: The idempotency key was used with another body: send a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upstream-error`: A node or provider answered wrongly. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSignature: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example d8148de0-1a5d-47bf-8f79-7d09bdf9ce68 */
                signatureId: string;
                /** @example 0x07a86D4770426106883D0f432e57191a4AbAf253 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The signature. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "d8148de0-1a5d-47bf-8f79-7d09bdf9ce68",
                     *       "chainType": "evm",
                     *       "walletType": "smart",
                     *       "type": "typed-data",
                     *       "status": "awaiting-approval",
                     *       "params": {
                     *         "chain": "base-sepolia",
                     *         "signer": {
                     *           "type": "external-wallet",
                     *           "address": "0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f",
                     *           "locator": "external-wallet:0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f"
                     *         },
                     *         "typedData": {
                     *           "types": {
                     *             "Call": [
                     *               {
                     *                 "name": "to",
                     *                 "type": "address"
                     *               },
                     *               {
                     *                 "name": "value",
                     *                 "type": "uint256"
                     *               }
                     *             ],
                     *             "Operation": [
                     *               {
                     *                 "name": "wallet",
                     *                 "type": "address"
                     *               },
                     *               {
                     *                 "name": "calls",
                     *                 "type": "Call[]"
                     *               }
                     *             ],
                     *             "EIP712Domain": [
                     *               {
                     *                 "name": "name",
                     *                 "type": "string"
                     *               },
                     *               {
                     *                 "name": "version",
                     *                 "type": "string"
                     *               }
                     *             ]
                     *           },
                     *           "domain": {
                     *             "name": "Purser WalletModule",
                     *             "chainId": 84532,
                     *             "version": "1",
                     *             "verifyingContract": "0x6c30B8f6E9d856EBCeD809323e8dd5F59299705B"
                     *           },
                     *           "message": {
                     *             "calls": [
                     *               {
                     *                 "to": "0x6c30b8f6e9d856ebced809323e8dd5f59299705b",
                     *                 "data": "0xc4a4803eef0f7faabe7bec99b56662f723b8dedcfc6863ecde45802edb9d45ec493f90819cc378adefbf090ce3ef1341e1a1b0d8dde09f761fa4e1356c10f987c4",
                     *                 "value": "0"
                     *               }
                     *             ],
                     *             "epoch": "0",
                     *             "nonce": "17643503840016460970520430707092020524315450788121284793294537709489945980416",
                     *             "wallet": "0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *             "callGas": "96220",
                     *             "validAfter": "0",
                     *             "validUntil": "1795501386"
                     *           },
                     *           "primaryType": "Operation"
                     *         }
                     *       },
                     *       "approvals": {
                     *         "required": 1,
                     *         "pending": [
                     *           {
                     *             "signer": {
                     *               "type": "external-wallet",
                     *               "locator": "external-wallet:0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f",
                     *               "address": "0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f"
                     *             },
                     *             "message": "0x3010a57c008e04701ce7df28a8458a81157c195c6520163598c30707528ce6bb"
                     *           }
                     *         ],
                     *         "submitted": []
                     *       },
                     *       "createdAt": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Signature"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `validation-error`: The request is not valid.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `wallet-not-found`: Wallet not found.
             *
             *     `signature-not-found`: Signature not found.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createSignatureApprovalLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                /** @example d8148de0-1a5d-47bf-8f79-7d09bdf9ce68 */
                signatureId: string;
                /** @example 0x07a86D4770426106883D0f432e57191a4AbAf253 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["CreateApprovalLinkBody"];
            };
        };
        responses: {
            /** @description The link. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "http://127.0.0.1:3000/api/approve/c345cea8-d3df-4a89-8716-acabd357990d#b1186d964dcccad59aa316bb36b498ee8a6a139f4703283d5c47a0e4530f8fab78c57de961621d8b4b9b7d.9f91463de41dbcb81d97ac1a879ee05b1c27b17c879",
                     *       "signer": "external-wallet:0x89A7f8fBF8ccedFff3d2d50E2210a02606A3117E",
                     *       "expiresAt": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ApprovalLink"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `signer-not-approver`: This signer has no pending approval here.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `wallet-not-found`: Wallet not found.
             *
             *     `signature-not-found`: Signature not found.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `approval-window-closed`: The object has failed already and takes no approvals.
             *
             *     `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `approvals-complete`: The required number of approvals is reached already.
             *
             *     `idempotency-key-reused`: The idempotency key was used with another body: send a new key.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitSignatureApprovals: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                /** @example d8148de0-1a5d-47bf-8f79-7d09bdf9ce68 */
                signatureId: string;
                /** @example 0x07a86d4770426106883d0f432e57191a4abaf253 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "approvals": [
                 *         {
                 *           "signer": "external-wallet:0xb1186d964dcccad59aa316bb36b498ee8a6a139f",
                 *           "signature": "0x6c30b8f6e9d856ebced809323e8dd5f59299705b11d2adfe6512da20919ff58e"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SubmitApprovalsBody"];
            };
        };
        responses: {
            /** @description The signature with these approvals. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "d8148de0-1a5d-47bf-8f79-7d09bdf9ce68",
                     *       "chainType": "evm",
                     *       "walletType": "smart",
                     *       "type": "typed-data",
                     *       "status": "awaiting-approval",
                     *       "params": {
                     *         "chain": "base-sepolia",
                     *         "signer": {
                     *           "type": "quorum",
                     *           "locator": "quorum:077e56b858",
                     *           "members": [
                     *             {
                     *               "type": "external-wallet",
                     *               "address": "0xb1186d964dcccad59aa316bb36b498ee8a6a139f",
                     *               "locator": "external-wallet:0xb1186d964dcccad59aa316bb36b498ee8a6a139f"
                     *             },
                     *             {
                     *               "type": "external-wallet",
                     *               "address": "0xc4a4803eef0f7faabe7bec99b56662f723b8dedc",
                     *               "locator": "external-wallet:0xc4a4803eef0f7faabe7bec99b56662f723b8dedc"
                     *             }
                     *           ],
                     *           "threshold": 2
                     *         },
                     *         "typedData": {
                     *           "message": {
                     *             "nonce": "1"
                     *           },
                     *           "primaryType": "Operation"
                     *         }
                     *       },
                     *       "approvals": {
                     *         "required": 1,
                     *         "pending": [
                     *           {
                     *             "signer": {
                     *               "type": "quorum",
                     *               "locator": "quorum:077e56b858"
                     *             },
                     *             "quorumApprovals": {
                     *               "threshold": 2,
                     *               "remaining": 1,
                     *               "pending": [
                     *                 {
                     *                   "signer": {
                     *                     "type": "external-wallet",
                     *                     "address": "0xc4a4803eef0f7faabe7bec99b56662f723b8dedc",
                     *                     "locator": "external-wallet:0xc4a4803eef0f7faabe7bec99b56662f723b8dedc"
                     *                   },
                     *                   "message": "0x3010a57c008e04701ce7df28a8458a81157c195c6520163598c30707528ce6bb"
                     *                 }
                     *               ],
                     *               "submitted": [
                     *                 {
                     *                   "signature": "0x6c30b8f6e9d856ebced809323e8dd5f59299705b11d2adfe6512da20919ff58e",
                     *                   "submittedAt": 1768478400000,
                     *                   "signer": {
                     *                     "type": "external-wallet",
                     *                     "address": "0xb1186d964dcccad59aa316bb36b498ee8a6a139f",
                     *                     "locator": "external-wallet:0xb1186d964dcccad59aa316bb36b498ee8a6a139f"
                     *                   },
                     *                   "message": "0x3010a57c008e04701ce7df28a8458a81157c195c6520163598c30707528ce6bb"
                     *                 }
                     *               ]
                     *             }
                     *           }
                     *         ],
                     *         "submitted": []
                     *       },
                     *       "createdAt": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Signature"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `signer-not-approver`: This signer has no pending approval here.
             *
             *     `signer-expired`: The signer has expired.
             *
             *     `signer-scope-violation`: The operation is outside the scopes of the signer.
             *
             *     `invalid-signature`: The signature does not verify.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `wallet-not-found`: Wallet not found.
             *
             *     `signature-not-found`: Signature not found.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `approval-window-closed`: The object has failed already and takes no approvals.
             *
             *     `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `approvals-complete`: The required number of approvals is reached already.
             *
             *     `idempotency-key-reused`: The idempotency key was used with another body: send a new key.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    addSigner: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                /** @example 0x07a86d4770426106883d0f432e57191a4abaf253 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "chain": "base-sepolia",
                 *       "signer": "external-wallet:0xc345cea8d3df5a892716acabd357990df3fc9fe9",
                 *       "deployImmediately": true
                 *     }
                 */
                "application/json": components["schemas"]["AddSignerBody"];
            };
        };
        responses: {
            /** @description The registration is under way. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "external-wallet",
                     *       "address": "0xc345cea8d3df5a892716acabd357990df3fc9fe9",
                     *       "locator": "external-wallet:0xc345cea8d3df5a892716acabd357990df3fc9fe9",
                     *       "chains": {
                     *         "base-sepolia": {
                     *           "id": "b1186d96-4dcc-4ad5-8aa3-16bb36b498ee",
                     *           "chainType": "evm",
                     *           "walletType": "smart",
                     *           "status": "awaiting-approval",
                     *           "createdAt": "2026-01-15T12:00:00.000Z",
                     *           "params": {
                     *             "calls": [],
                     *             "chain": "base-sepolia",
                     *             "signer": {
                     *               "type": "external-wallet",
                     *               "address": "0x6c30b8f6e9d856ebced809323e8dd5f59299705b",
                     *               "locator": "external-wallet:0x6c30b8f6e9d856ebced809323e8dd5f59299705b"
                     *             }
                     *           },
                     *           "onChain": {
                     *             "typedData": {
                     *               "primaryType": "Operation"
                     *             },
                     *             "userOperationHash": "0xc4a4803eef0f7faabe7bec99b56662f723b8dedcfc6863ecde45802edb9d45ec"
                     *           },
                     *           "approvals": {
                     *             "required": 1,
                     *             "pending": [
                     *               {
                     *                 "signer": {
                     *                   "type": "external-wallet",
                     *                   "locator": "external-wallet:0x6c30b8f6e9d856ebced809323e8dd5f59299705b",
                     *                   "address": "0x6c30b8f6e9d856ebced809323e8dd5f59299705b"
                     *                 },
                     *                 "message": "0xc4a4803eef0f7faabe7bec99b56662f723b8dedcfc6863ecde45802edb9d45ec"
                     *               }
                     *             ],
                     *             "submitted": []
                     *           },
                     *           "fees": {
                     *             "mode": "project",
                     *             "billing": {
                     *               "status": "pending"
                     *             },
                     *             "estimate": {}
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DelegatedSigner"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `chain-not-supported`: The chain is not supported here.
             *
             *     `token-not-supported`: The token is not supported on this chain.
             *
             *     `WALLET_TYPE_NOT_SUPPORTED`: This wallet type is not supported on this chain type.
             *
             *     `signer-type-not-supported`: This signer type is not supported here.
             *
             *     `DEVICE_SIGNER_NOT_SUPPORTED`: Device signers are not supported here.
             *
             *     `approver-required`: The wallet has several recovery methods: name one as `approver`.
             *
             *     `approver-invalid`: The `approver` is not a recovery method of this wallet.
             *
             *     `signer-already-exists`: Delegated signer is already approved
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wallet-not-found`: Wallet not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `conflict`: The object was changed at the same time: read it again and retry.
             *
             *     `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `transaction-simulation-failed`: The simulation of the transaction failed.
             *
             *     `idempotency-key-reused`: The idempotency key was used with another body: send a new key.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | components["schemas"]["SimulationError"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upstream-error`: A node or provider answered wrongly. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSigner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Signer locator, percent-encoded as a whole.
                 * @example external-wallet:0xc345CEa8d3dF5a892716AcaBD357990DF3Fc9fe9
                 */
                signer: string;
                /** @example 0x07a86D4770426106883D0f432e57191a4AbAf253 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The signer, with what is known of it on each chain. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "external-wallet",
                     *       "address": "0xc345CEa8d3dF5a892716AcaBD357990DF3Fc9fe9",
                     *       "locator": "external-wallet:0xc345CEa8d3dF5a892716AcaBD357990DF3Fc9fe9",
                     *       "chains": {
                     *         "abstract-testnet": {
                     *           "status": "success"
                     *         },
                     *         "arbitrum-sepolia": {
                     *           "status": "success"
                     *         },
                     *         "arc-testnet": {
                     *           "status": "success"
                     *         },
                     *         "avalanche-fuji": {
                     *           "status": "success"
                     *         },
                     *         "base-goerli": {
                     *           "status": "success"
                     *         },
                     *         "bsc-testnet": {
                     *           "status": "success"
                     *         },
                     *         "chiliz-spicy-testnet": {
                     *           "status": "success"
                     *         },
                     *         "coti-testnet": {
                     *           "status": "success"
                     *         },
                     *         "curtis": {
                     *           "status": "success"
                     *         },
                     *         "ethereum-goerli": {
                     *           "status": "success"
                     *         },
                     *         "ethereum-sepolia": {
                     *           "status": "success"
                     *         },
                     *         "flow-testnet": {
                     *           "status": "success"
                     *         },
                     *         "hedera-testnet": {
                     *           "status": "success"
                     *         },
                     *         "lightlink-pegasus": {
                     *           "status": "success"
                     *         },
                     *         "mantle-sepolia": {
                     *           "status": "success"
                     *         },
                     *         "mode-sepolia": {
                     *           "status": "success"
                     *         },
                     *         "optimism-goerli": {
                     *           "status": "success"
                     *         },
                     *         "optimism-sepolia": {
                     *           "status": "success"
                     *         },
                     *         "plume-testnet": {
                     *           "status": "success"
                     *         },
                     *         "polygon-amoy": {
                     *           "status": "success"
                     *         },
                     *         "polygon-mumbai": {
                     *           "status": "success"
                     *         },
                     *         "rari-testnet": {
                     *           "status": "success"
                     *         },
                     *         "robinhood-chain-testnet": {
                     *           "status": "success"
                     *         },
                     *         "scroll-sepolia": {
                     *           "status": "success"
                     *         },
                     *         "sei-atlantic-2-testnet": {
                     *           "status": "success"
                     *         },
                     *         "shape-sepolia": {
                     *           "status": "success"
                     *         },
                     *         "skale-nebula-testnet": {
                     *           "status": "success"
                     *         },
                     *         "soneium-minato-testnet": {
                     *           "status": "success"
                     *         },
                     *         "story-testnet": {
                     *           "status": "success"
                     *         },
                     *         "tempo-testnet": {
                     *           "status": "success"
                     *         },
                     *         "u2u-nebulas": {
                     *           "status": "success"
                     *         },
                     *         "verify-testnet": {
                     *           "status": "success"
                     *         },
                     *         "viction-testnet": {
                     *           "status": "success"
                     *         },
                     *         "world-chain-sepolia": {
                     *           "status": "success"
                     *         },
                     *         "xai-sepolia-testnet": {
                     *           "status": "success"
                     *         },
                     *         "zenchain-testnet": {
                     *           "status": "success"
                     *         },
                     *         "zkatana": {
                     *           "status": "success"
                     *         },
                     *         "zkyoto": {
                     *           "status": "success"
                     *         },
                     *         "zora-goerli": {
                     *           "status": "success"
                     *         },
                     *         "zora-sepolia": {
                     *           "status": "success"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DelegatedSigner"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `validation-error`: The request is not valid.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `wallet-not-found`: Wallet not found.
             *
             *     `signer-not-found`: Signer not found.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeSigner: {
        parameters: {
            query?: {
                /** @description Locator of the recovery method; only where the wallet has several. */
                approver?: string;
                /**
                 * @description Required for evm wallets: one of the names that take signer removal, which are fewer than the other chain names; a refusal lists them.
                 * @example avalanche
                 */
                chain?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Signer locator, percent-encoded as a whole.
                 * @example external-wallet:0xc345CEa8d3dF5a892716AcaBD357990DF3Fc9fe9
                 */
                signer: string;
                /** @example 0x07a86D4770426106883D0f432e57191a4AbAf253 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction that removes it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "b1186d96-4dcc-4ad5-8aa3-16bb36b498ee",
                     *       "chainType": "evm",
                     *       "walletType": "smart",
                     *       "status": "pending",
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "params": {
                     *         "calls": [
                     *           {
                     *             "address": "0x6c30B8f6E9d856EBCeD809323e8dd5F59299705B",
                     *             "functionName": "removeSigner",
                     *             "abi": [
                     *               {
                     *                 "inputs": [
                     *                   {
                     *                     "internalType": "bytes32",
                     *                     "name": "signerId",
                     *                     "type": "bytes32"
                     *                   }
                     *                 ],
                     *                 "name": "removeSigner",
                     *                 "outputs": [],
                     *                 "stateMutability": "nonpayable",
                     *                 "type": "function"
                     *               }
                     *             ],
                     *             "args": [
                     *               "0xc4a4803eef0f7faabe7bec99b56662f723b8dedcfc6863ecde45802edb9d45ec"
                     *             ],
                     *             "value": "0"
                     *           }
                     *         ],
                     *         "chain": "avalanche-fuji",
                     *         "signer": {
                     *           "type": "api-key",
                     *           "address": "0x3010A57c008e04701CE7df28a8458A81157C195c",
                     *           "locator": "api-key:0x3010A57c008e04701CE7df28a8458A81157C195c"
                     *         },
                     *         "call": {
                     *           "address": "0x6c30B8f6E9d856EBCeD809323e8dd5F59299705B",
                     *           "functionName": "removeSigner",
                     *           "abi": [
                     *             {
                     *               "inputs": [
                     *                 {
                     *                   "internalType": "bytes32",
                     *                   "name": "signerId",
                     *                   "type": "bytes32"
                     *                 }
                     *               ],
                     *               "name": "removeSigner",
                     *               "outputs": [],
                     *               "stateMutability": "nonpayable",
                     *               "type": "function"
                     *             }
                     *           ],
                     *           "args": [
                     *             "0xc4a4803eef0f7faabe7bec99b56662f723b8dedcfc6863ecde45802edb9d45ec"
                     *           ],
                     *           "value": "0"
                     *         }
                     *       },
                     *       "onChain": {
                     *         "call": {
                     *           "to": "0x6c30B8f6E9d856EBCeD809323e8dd5F59299705B",
                     *           "data": "0x1c48a6b5e9f132a968b2de93d8b95ebc8672171e327555d8638382b1a0bfa19bc5cc7208"
                     *         },
                     *         "userOperation": {
                     *           "sender": "0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *           "nonce": "38811079194573039190151575945134257079525227309244666425322643941555164157696",
                     *           "callData": "0x2ed9822be4ad45ce1c9ce91a39e3b08caad719293d9e81dfb540a81a9bc6f2733b699e37245ef10bd12f6eb183b25899e718ab532590a212ada8cc75c96689af2e",
                     *           "callGasLimit": "57048",
                     *           "verificationGasLimit": "488072",
                     *           "preVerificationGas": "15808",
                     *           "maxFeePerGas": "2189583776",
                     *           "maxPriorityFeePerGas": "1000000000",
                     *           "factory": "0x69433B1aC39CcA3088EdB95F49979777fCFdD15a",
                     *           "factoryData": "0xcad8b61f5cf201d433a5b597f55e2a2b882879d21f782e695b82270ba39a6c5432852a9b50f864d17ea471da72f9dfdc48ebfbd220274cf142c42252157b7383ca",
                     *           "signature": "0x"
                     *         },
                     *         "userOperationHash": "0xaa42f6ea263f1e19b0dfaf12fc14671d3fe578762f2f9dd10683be022a54f48d"
                     *       },
                     *       "approvals": {
                     *         "pending": [],
                     *         "submitted": []
                     *       },
                     *       "fees": {
                     *         "mode": "project",
                     *         "estimate": {
                     *           "gas": "511912",
                     *           "gasPriceWei": "1594791888",
                     *           "amountWei": "816393104969856",
                     *           "token": "avax"
                     *         },
                     *         "billing": {
                     *           "status": "pending"
                     *         }
                     *       },
                     *       "preview": {
                     *         "balanceChanges": [],
                     *         "gas": "511912",
                     *         "sponsored": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Transaction"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `signer-not-removable`: This signer cannot be removed.
             *
             *     `chain-not-supported`: The chain is not supported here.
             *
             *     `approver-required`: The wallet has several recovery methods: name one as `approver`.
             *
             *     `approver-invalid`: The `approver` is not a recovery method of this wallet.
             *
             *     `validation-error`: The request is not valid.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `wallet-not-found`: Wallet not found.
             *
             *     `signer-not-found`: Signer not found.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: The object was changed at the same time: read it again and retry. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `transaction-simulation-failed`: The simulation of the transaction failed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | components["schemas"]["SimulationError"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upstream-error`: A node or provider answered wrongly. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    requestSignerCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                /**
                 * @description Locator of the signer: `email:<email>` or `phone:<E.164 number>`.
                 * @example email:adalovelace@gmail.com
                 */
                signer: string;
                /** @example 0x07a86D4770426106883D0f432e57191a4AbAf253 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "devicePublicKey": {
                 *         "x": "114546347016187454906276038350719773743979635325217776967189093121937771311048",
                 *         "y": "93225987952503472981524351521948481407952735911414341566417685971770670417350"
                 *       },
                 *       "message": "0xc345cea8d3df5a892716acabd357990df3fc9fe9f2f67c36f94a014fea172578"
                 *     }
                 */
                "application/json": components["schemas"]["RequestSignerCodeBody"];
            };
        };
        responses: {
            /** @description Sent. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "codeId": "b1186d96-4dcc-4ad5-8aa3-16bb36b498ee",
                     *       "sentTo": "a***@gmail.com",
                     *       "expiresAt": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SignerCode"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `signer-not-approver`: This signer has no pending approval here.
             *
             *     `code-not-deliverable`: The code cannot be sent to this signer.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wallet-not-found`: Wallet not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-reused`: The idempotency key was used with another body: send a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    signWithSignerCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                /**
                 * @description Locator of the signer: `email:<email>` or `phone:<E.164 number>`.
                 * @example email:adalovelace@gmail.com
                 */
                signer: string;
                /** @example 0x07a86D4770426106883D0f432e57191a4AbAf253 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "codeId": "d8148de0-1a5d-47bf-8f79-7d09bdf9ce68",
                 *       "code": "470071",
                 *       "nonce": "8LuikVQ2GRbOkuM6hsjQVA",
                 *       "message": "0xb1186d964dcccad59aa316bb36b498ee8a6a139f4703283d5c47a0e4530f8fab",
                 *       "deviceSignature": {
                 *         "r": "0x6c30b8f6e9d856ebced809323e8dd5f59299705b11d2adfe6512da20919ff58e",
                 *         "s": "0xc4a4803eef0f7faabe7bec99b56662f723b8dedcfc6863ecde45802edb9d45ec"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SignWithCodeBody"];
            };
        };
        responses: {
            /** @description Signed. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "signature": "0x3010a57c008e04701ce7df28a8458a81157c195c6520163598c30707528ce6bbf2e3b51375de4e62869e74b30e86aa50c81e60ec7e04d544087653435b6f5fca30",
                     *       "sessionExpiresAt": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SignerCodeSignature"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `invalid-code`: The code is wrong.
             *
             *     `invalid-signature`: The signature does not verify.
             *
             *     `signer-not-approver`: This signer has no pending approval here.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `wallet-not-found`: Wallet not found.
             *
             *     `code-not-found`: There is no such code, or it was replaced, used up or has expired: request another one.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `conflict`: The object was changed at the same time: read it again and retry.
             *
             *     `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-reused`: The idempotency key was used with another body: send a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createTransfer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                /** @example base-sepolia:eth */
                tokenLocator: string;
                /** @example 0x07a86D4770426106883D0f432e57191a4AbAf253 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "recipient": "0xc345CEa8d3dF5a892716AcaBD357990DF3Fc9fe9",
                 *       "amount": "0.25"
                 *     }
                 */
                "application/json": components["schemas"]["CreateTransferBody"];
            };
        };
        responses: {
            /** @description The transaction that makes the transfer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "b1186d96-4dcc-4ad5-8aa3-16bb36b498ee",
                     *       "chainType": "evm",
                     *       "walletType": "smart",
                     *       "status": "pending",
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "params": {
                     *         "calls": [
                     *           {
                     *             "to": "0xc345CEa8d3dF5a892716AcaBD357990DF3Fc9fe9",
                     *             "value": "250000000000000000",
                     *             "data": "0x"
                     *           }
                     *         ],
                     *         "chain": "base-sepolia",
                     *         "signer": {
                     *           "type": "api-key",
                     *           "address": "0x6c30B8f6E9d856EBCeD809323e8dd5F59299705B",
                     *           "locator": "api-key:0x6c30B8f6E9d856EBCeD809323e8dd5F59299705B"
                     *         },
                     *         "call": {
                     *           "to": "0xc345CEa8d3dF5a892716AcaBD357990DF3Fc9fe9",
                     *           "value": "250000000000000000",
                     *           "data": "0x"
                     *         }
                     *       },
                     *       "onChain": {
                     *         "call": {
                     *           "to": "0xc345CEa8d3dF5a892716AcaBD357990DF3Fc9fe9",
                     *           "data": "0x"
                     *         },
                     *         "userOperation": {
                     *           "sender": "0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *           "nonce": "84881507855970094836591048880571463521487985876494572131632699333266038531840",
                     *           "callData": "0xc4a4803eef0f7faabe7bec99b56662f723b8dedcfc6863ecde45802edb9d45ec493f90819cc378adefbf090ce3ef1341e1a1b0d8dde09f761fa4e1356c10f987c4",
                     *           "callGasLimit": "107028",
                     *           "verificationGasLimit": "403000",
                     *           "preVerificationGas": "14988",
                     *           "maxFeePerGas": "1358273392",
                     *           "maxPriorityFeePerGas": "1000000000",
                     *           "factory": "0x3010A57c008e04701CE7df28a8458A81157C195c",
                     *           "factoryData": "0x1c48a6b5e9f132a968b2de93d8b95ebc8672171e327555d8638382b1a0bfa19bc5cc72081e73d3031d53b32902e8d29d99bb783ebdd6cc90e5d4b51fa6ccc5e41c",
                     *           "signature": "0x"
                     *         },
                     *         "userOperationHash": "0x2ed9822be4ad45ce1c9ce91a39e3b08caad719293d9e81dfb540a81a9bc6f273"
                     *       },
                     *       "approvals": {
                     *         "pending": [],
                     *         "submitted": []
                     *       },
                     *       "fees": {
                     *         "mode": "project",
                     *         "estimate": {
                     *           "gas": "459340",
                     *           "gasPriceWei": "1179136696",
                     *           "amountWei": "541624649940640",
                     *           "token": "eth"
                     *         },
                     *         "billing": {
                     *           "status": "pending"
                     *         }
                     *       },
                     *       "preview": {
                     *         "balanceChanges": [
                     *           {
                     *             "token": "base-sepolia:eth",
                     *             "symbol": "eth",
                     *             "decimals": 18,
                     *             "amount": "-0.25",
                     *             "rawAmount": "-250000000000000000"
                     *           }
                     *         ],
                     *         "gas": "459340",
                     *         "sponsored": true
                     *       },
                     *       "sendParams": {
                     *         "token": "base-sepolia:eth",
                     *         "params": {
                     *           "amount": "0.25",
                     *           "recipient": "0xc345CEa8d3dF5a892716AcaBD357990DF3Fc9fe9",
                     *           "recipientAddress": "0xc345CEa8d3dF5a892716AcaBD357990DF3Fc9fe9"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Transaction"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `chain-not-supported`: The chain is not supported here.
             *
             *     `token-not-supported`: The token is not supported on this chain.
             *
             *     `invalid-recipient`: The recipient is not valid.
             *
             *     `insufficient-balance`: The balance is not sufficient.
             *
             *     `transaction-invalid`: The transaction does not suit the wallet.
             *
             *     `sanctioned-address`: The address is blocked.
             *
             *     `signer-expired`: The signer has expired.
             *
             *     `signer-scope-violation`: The operation is outside the scopes of the signer.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `project:addon.required`: The project is not configured for this product.
             *
             *     `kyc-required`: The user is not verified for this operation.
             *
             *     `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wallet-not-found`: Wallet not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `transaction-simulation-failed`: The simulation of the transaction failed.
             *
             *     `idempotency-key-reused`: The idempotency key was used with another body: send a new key.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | components["schemas"]["SimulationError"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upstream-error`: A node or provider answered wrongly. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTransfer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example base-sepolia:0xc345CEa8d3dF5a892716AcaBD357990DF3Fc9fe9 */
                tokenLocator: string;
                /** @example b1186d96-4dcc-4ad5-8aa3-16bb36b498ee */
                transactionId: string;
                /** @example 0x07a86D4770426106883D0f432e57191a4AbAf253 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction of the transfer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "b1186d96-4dcc-4ad5-8aa3-16bb36b498ee",
                     *       "chainType": "evm",
                     *       "walletType": "smart",
                     *       "status": "pending",
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "params": {
                     *         "calls": [],
                     *         "chain": "base-sepolia"
                     *       },
                     *       "onChain": {},
                     *       "approvals": {
                     *         "pending": [],
                     *         "submitted": []
                     *       },
                     *       "fees": {
                     *         "mode": "project"
                     *       },
                     *       "sendParams": {
                     *         "token": "base-sepolia:0xc345CEa8d3dF5a892716AcaBD357990DF3Fc9fe9",
                     *         "params": {
                     *           "amount": "1",
                     *           "recipient": "0x6c30b8f6e9d856ebced809323e8dd5f59299705b",
                     *           "recipientAddress": "0x6c30b8f6e9d856ebced809323e8dd5f59299705b"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Transaction"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `validation-error`: The request is not valid.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `wallet-not-found`: Wallet not found.
             *
             *     `transfer-not-found`: Transfer not found.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                dateFrom?: string;
                dateTo?: string;
                /** @example 2 */
                page?: string;
                /**
                 * @description Default 10, at most 100.
                 * @example 2
                 */
                perPage?: string;
            };
            header?: never;
            path: {
                /** @example 0x07a86D4770426106883D0f432e57191a4AbAf253 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transactions": [
                     *         {
                     *           "id": "d8148de0-1a5d-47bf-8f79-7d09bdf9ce68",
                     *           "chainType": "evm",
                     *           "walletType": "smart",
                     *           "status": "success",
                     *           "createdAt": "2026-01-15T12:00:00.000Z",
                     *           "completedAt": "2026-01-15T12:00:01.000Z",
                     *           "params": {
                     *             "calls": [
                     *               {
                     *                 "to": "0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *                 "data": "0x",
                     *                 "value": "0"
                     *               }
                     *             ],
                     *             "chain": "base-sepolia",
                     *             "signer": {
                     *               "type": "api-key",
                     *               "address": "0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f",
                     *               "locator": "api-key:0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f"
                     *             },
                     *             "call": {
                     *               "to": "0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *               "data": "0x",
                     *               "value": "0"
                     *             }
                     *           },
                     *           "onChain": {
                     *             "call": {
                     *               "to": "0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *               "data": "0x"
                     *             },
                     *             "txId": "0x6c30b8f6e9d856ebced809323e8dd5f59299705b11d2adfe6512da20919ff58e",
                     *             "explorerLink": "https://sepolia.basescan.org/tx/0x6c30b8f6e9d856ebced809323e8dd5f59299705b11d2adfe6512da20919ff58e",
                     *             "userOperation": {
                     *               "nonce": "5570912962804791736912271381728014337307404517765348471002035769486863147520",
                     *               "sender": "0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *               "factory": "0xC4A4803eef0f7FAAbe7BEC99B56662f723B8DEdC",
                     *               "callData": "0x3010a57c008e04701ce7df28a8458a81157c195c6520163598c30707528ce6bbf2e3b51375de4e62869e74b30e86aa50c81e60ec7e04d544087653435b6f5fca30",
                     *               "signature": "0x",
                     *               "factoryData": "0x1c48a6b5e9f132a968b2de93d8b95ebc8672171e327555d8638382b1a0bfa19bc5cc72081e73d3031d53b32902e8d29d99bb783ebdd6cc90e5d4b51fa6ccc5e41c",
                     *               "callGasLimit": "58471",
                     *               "maxFeePerGas": "1048606886",
                     *               "preVerificationGas": "15120",
                     *               "maxPriorityFeePerGas": "1000000000",
                     *               "verificationGasLimit": "403000"
                     *             },
                     *             "userOperationHash": "0x2ed9822be4ad45ce1c9ce91a39e3b08caad719293d9e81dfb540a81a9bc6f273"
                     *           },
                     *           "approvals": {
                     *             "pending": [],
                     *             "submitted": []
                     *           },
                     *           "fees": {
                     *             "mode": "project",
                     *             "actual": {
                     *               "wei": "361117320777080",
                     *               "gasUsed": "353570",
                     *               "effectiveGasPrice": "1021346044"
                     *             },
                     *             "billed": {
                     *               "usd": 0.902793
                     *             },
                     *             "billing": {
                     *               "status": "settled"
                     *             },
                     *             "estimate": {
                     *               "gas": "427101",
                     *               "token": "eth",
                     *               "amountWei": "437481024808743",
                     *               "gasPriceWei": "1024303443"
                     *             }
                     *           },
                     *           "preview": {
                     *             "gas": "427101",
                     *             "sponsored": true,
                     *             "balanceChanges": []
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        transactions: components["schemas"]["Transaction"][];
                    };
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `validation-error`: The request is not valid.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wallet-not-found`: Wallet not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                /** @example 0x07a86D4770426106883D0f432e57191a4AbAf253 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "params": {
                 *         "chain": "base",
                 *         "calls": [
                 *           {
                 *             "to": "0x07a86D4770426106883D0f432e57191a4AbAf253",
                 *             "value": "0",
                 *             "data": "0x"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateTransactionBody"];
            };
        };
        responses: {
            /** @description Created; awaiting approvals, or on its way. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "d8148de0-1a5d-47bf-8f79-7d09bdf9ce68",
                     *       "chainType": "evm",
                     *       "walletType": "smart",
                     *       "status": "pending",
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "params": {
                     *         "calls": [
                     *           {
                     *             "to": "0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *             "value": "0",
                     *             "data": "0x"
                     *           }
                     *         ],
                     *         "chain": "base-sepolia",
                     *         "signer": {
                     *           "type": "api-key",
                     *           "address": "0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f",
                     *           "locator": "api-key:0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f"
                     *         },
                     *         "call": {
                     *           "to": "0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *           "value": "0",
                     *           "data": "0x"
                     *         }
                     *       },
                     *       "onChain": {
                     *         "call": {
                     *           "to": "0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *           "data": "0x"
                     *         },
                     *         "userOperation": {
                     *           "sender": "0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *           "nonce": "92267157023301751982477358158955729543468516518595335040040153504531560753408",
                     *           "callData": "0x6c30b8f6e9d856ebced809323e8dd5f59299705b11d2adfe6512da20919ff58ec774b8d2a182e346c06862e4cf9cc6585a7ac2a0de5f5748c82b2ec3637102bc6c",
                     *           "callGasLimit": "58471",
                     *           "verificationGasLimit": "403000",
                     *           "preVerificationGas": "15120",
                     *           "maxFeePerGas": "1409319706",
                     *           "maxPriorityFeePerGas": "1000000000",
                     *           "factory": "0xC4A4803eef0f7FAAbe7BEC99B56662f723B8DEdC",
                     *           "factoryData": "0x3010a57c008e04701ce7df28a8458a81157c195c6520163598c30707528ce6bbf2e3b51375de4e62869e74b30e86aa50c81e60ec7e04d544087653435b6f5fca30",
                     *           "signature": "0x"
                     *         },
                     *         "userOperationHash": "0x1c48a6b5e9f132a968b2de93d8b95ebc8672171e327555d8638382b1a0bfa19b"
                     *       },
                     *       "approvals": {
                     *         "pending": [],
                     *         "submitted": []
                     *       },
                     *       "fees": {
                     *         "mode": "project",
                     *         "estimate": {
                     *           "gas": "427101",
                     *           "gasPriceWei": "1204659853",
                     *           "amountWei": "514511427876153",
                     *           "token": "eth"
                     *         },
                     *         "billing": {
                     *           "status": "pending"
                     *         }
                     *       },
                     *       "preview": {
                     *         "balanceChanges": [],
                     *         "gas": "427101",
                     *         "sponsored": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Transaction"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `chain-not-supported`: The chain is not supported here.
             *
             *     `transaction-invalid`: The transaction does not suit the wallet.
             *
             *     `signer-expired`: The signer has expired.
             *
             *     `signer-scope-violation`: The operation is outside the scopes of the signer.
             *
             *     `insufficient-balance`: The balance is not sufficient.
             *
             *     `sanctioned-address`: The address is blocked.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wallet-not-found`: Wallet not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `transaction-simulation-failed`: The simulation of the transaction failed.
             *
             *     `idempotency-key-reused`: The idempotency key was used with another body: send a new key.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | components["schemas"]["SimulationError"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upstream-error`: A node or provider answered wrongly. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example d8148de0-1a5d-47bf-8f79-7d09bdf9ce68 */
                transactionId: string;
                /** @example 0x07a86D4770426106883D0f432e57191a4AbAf253 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "d8148de0-1a5d-47bf-8f79-7d09bdf9ce68",
                     *       "chainType": "evm",
                     *       "walletType": "smart",
                     *       "status": "pending",
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "params": {
                     *         "calls": [
                     *           {
                     *             "to": "0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *             "data": "0x",
                     *             "value": "0"
                     *           }
                     *         ],
                     *         "chain": "base-sepolia",
                     *         "signer": {
                     *           "type": "api-key",
                     *           "address": "0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f",
                     *           "locator": "api-key:0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f"
                     *         },
                     *         "call": {
                     *           "to": "0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *           "data": "0x",
                     *           "value": "0"
                     *         }
                     *       },
                     *       "onChain": {
                     *         "call": {
                     *           "to": "0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *           "data": "0x"
                     *         },
                     *         "userOperation": {
                     *           "nonce": "95945365728714621053497668524431907563900374169918592301579428911879380148992",
                     *           "sender": "0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *           "factory": "0x6c30B8f6E9d856EBCeD809323e8dd5F59299705B",
                     *           "callData": "0xc4a4803eef0f7faabe7bec99b56662f723b8dedcfc6863ecde45802edb9d45ec493f90819cc378adefbf090ce3ef1341e1a1b0d8dde09f761fa4e1356c10f987c4",
                     *           "signature": "0x",
                     *           "factoryData": "0x3010a57c008e04701ce7df28a8458a81157c195c6520163598c30707528ce6bbf2e3b51375de4e62869e74b30e86aa50c81e60ec7e04d544087653435b6f5fca30",
                     *           "callGasLimit": "58471",
                     *           "maxFeePerGas": "1048606886",
                     *           "preVerificationGas": "15120",
                     *           "maxPriorityFeePerGas": "1000000000",
                     *           "verificationGasLimit": "403000"
                     *         },
                     *         "userOperationHash": "0x1c48a6b5e9f132a968b2de93d8b95ebc8672171e327555d8638382b1a0bfa19b"
                     *       },
                     *       "approvals": {
                     *         "pending": [],
                     *         "submitted": []
                     *       },
                     *       "fees": {
                     *         "mode": "project",
                     *         "billing": {
                     *           "status": "pending"
                     *         },
                     *         "estimate": {
                     *           "gas": "427101",
                     *           "token": "eth",
                     *           "amountWei": "437481024808743",
                     *           "gasPriceWei": "1024303443"
                     *         }
                     *       },
                     *       "preview": {
                     *         "gas": "427101",
                     *         "sponsored": true,
                     *         "balanceChanges": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Transaction"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `validation-error`: The request is not valid.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `wallet-not-found`: Wallet not found.
             *
             *     `transaction-not-found`: Transaction not found.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createTransactionApprovalLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                /** @example d8148de0-1a5d-47bf-8f79-7d09bdf9ce68 */
                transactionId: string;
                /** @example 0x07a86D4770426106883D0f432e57191a4AbAf253 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["CreateApprovalLinkBody"];
            };
        };
        responses: {
            /** @description The link. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "http://127.0.0.1:3000/api/approve/c345cea8-d3df-4a89-8716-acabd357990d#b1186d964dcccad59aa316bb36b498ee8a6a139f4703283d5c47a0e4530f8fab78c57de961621d8b4b9b7d.9f91463de41dbcb81d97ac1a879ee05b1c27b17c879",
                     *       "signer": "external-wallet:0x89A7f8fBF8ccedFff3d2d50E2210a02606A3117E",
                     *       "expiresAt": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ApprovalLink"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `signer-not-approver`: This signer has no pending approval here.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `wallet-not-found`: Wallet not found.
             *
             *     `transaction-not-found`: Transaction not found.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `approval-window-closed`: The object has failed already and takes no approvals.
             *
             *     `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `approvals-complete`: The required number of approvals is reached already.
             *
             *     `idempotency-key-reused`: The idempotency key was used with another body: send a new key.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitTransactionApprovals: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                /** @example d8148de0-1a5d-47bf-8f79-7d09bdf9ce68 */
                transactionId: string;
                /** @example 0x07a86d4770426106883d0f432e57191a4abaf253 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "approvals": [
                 *         {
                 *           "signer": "external-wallet:0xb1186d964dcccad59aa316bb36b498ee8a6a139f",
                 *           "signature": "0x6c30b8f6e9d856ebced809323e8dd5f59299705b11d2adfe6512da20919ff58e"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SubmitApprovalsBody"];
            };
        };
        responses: {
            /** @description The transaction with these approvals. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "d8148de0-1a5d-47bf-8f79-7d09bdf9ce68",
                     *       "chainType": "evm",
                     *       "walletType": "smart",
                     *       "status": "pending",
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "params": {
                     *         "calls": [],
                     *         "chain": "base-sepolia",
                     *         "signer": {
                     *           "type": "external-wallet",
                     *           "address": "0xb1186d964dcccad59aa316bb36b498ee8a6a139f",
                     *           "locator": "external-wallet:0xb1186d964dcccad59aa316bb36b498ee8a6a139f"
                     *         }
                     *       },
                     *       "onChain": {
                     *         "typedData": {
                     *           "primaryType": "Operation"
                     *         },
                     *         "userOperationHash": "0xc4a4803eef0f7faabe7bec99b56662f723b8dedcfc6863ecde45802edb9d45ec"
                     *       },
                     *       "approvals": {
                     *         "required": 1,
                     *         "pending": [],
                     *         "submitted": [
                     *           {
                     *             "signature": "0x6c30b8f6e9d856ebced809323e8dd5f59299705b11d2adfe6512da20919ff58e",
                     *             "submittedAt": 1768478400000,
                     *             "signer": {
                     *               "type": "external-wallet",
                     *               "locator": "external-wallet:0xb1186d964dcccad59aa316bb36b498ee8a6a139f",
                     *               "address": "0xb1186d964dcccad59aa316bb36b498ee8a6a139f"
                     *             },
                     *             "message": "0xc4a4803eef0f7faabe7bec99b56662f723b8dedcfc6863ecde45802edb9d45ec"
                     *           }
                     *         ]
                     *       },
                     *       "fees": {
                     *         "mode": "project",
                     *         "billing": {
                     *           "status": "pending"
                     *         },
                     *         "estimate": {}
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Transaction"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `signer-not-approver`: This signer has no pending approval here.
             *
             *     `invalid-signature`: The signature does not verify.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `wallet-not-found`: Wallet not found.
             *
             *     `transaction-not-found`: Transaction not found.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `approval-already-submitted`: This signer has approved already.
             *
             *     `approval-window-closed`: The object has failed already and takes no approvals.
             *
             *     `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `approvals-complete`: The required number of approvals is reached already.
             *
             *     `idempotency-key-reused`: The idempotency key was used with another body: send a new key.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createMyWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "chainType": "evm",
                 *       "type": "smart",
                 *       "config": {
                 *         "adminSigner": {
                 *           "type": "external-wallet",
                 *           "address": "0x07a86D4770426106883D0f432e57191a4AbAf253"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateMyWalletBody"];
            };
        };
        responses: {
            /** @description The owner, or the idempotency key, had this wallet already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chainType": "evm",
                     *       "type": "smart",
                     *       "address": "0xc345CEa8d3dF5a892716AcaBD357990DF3Fc9fe9",
                     *       "config": {
                     *         "adminSigner": {
                     *           "type": "external-wallet",
                     *           "locator": "external-wallet:0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *           "address": "0x07a86D4770426106883D0f432e57191a4AbAf253"
                     *         },
                     *         "delegatedSigners": []
                     *       },
                     *       "owner": "userId:eve",
                     *       "createdAt": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chainType": "evm",
                     *       "type": "smart",
                     *       "address": "0xc345CEa8d3dF5a892716AcaBD357990DF3Fc9fe9",
                     *       "config": {
                     *         "adminSigner": {
                     *           "type": "external-wallet",
                     *           "locator": "external-wallet:0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *           "address": "0x07a86D4770426106883D0f432e57191a4AbAf253"
                     *         },
                     *         "delegatedSigners": []
                     *       },
                     *       "owner": "userId:eve",
                     *       "createdAt": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `chain-not-supported`: The chain is not supported here.
             *
             *     `wallet-already-exists`: A wallet with this creation seed and these signers exists already.
             *
             *     `WALLET_TYPE_NOT_SUPPORTED`: This wallet type is not supported on this chain type.
             *
             *     `DEVICE_SIGNER_NOT_SUPPORTED`: Device signers are not supported here.
             *
             *     `signer-type-not-supported`: This signer type is not supported here.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-reused`: The idempotency key was used with another body: send a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAgentCheckouts: {
        parameters: {
            query?: {
                cursor?: string;
                /** @example 2 */
                limit?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *           "createdAt": "2026-01-15T12:00:01.000Z",
                     *           "updatedAt": "2026-01-15T12:00:01.000Z",
                     *           "target": {
                     *             "url": "https://shop.example/products/shirt?size=m",
                     *             "kind": "direct_url",
                     *             "request": "size M, two of them"
                     *           },
                     *           "constraints": {
                     *             "maxCost": {
                     *               "amount": "49.90",
                     *               "currency": "USD"
                     *             }
                     *           },
                     *           "metadata": {
                     *             "trip": "paris",
                     *             "nested": {
                     *               "a": [
                     *                 1,
                     *                 2
                     *               ]
                     *             }
                     *           },
                     *           "status": "queued",
                     *           "progressItems": [
                     *             {
                     *               "type": "step",
                     *               "title": "Waiting for a browser",
                     *               "createdAt": "2026-01-15T12:00:01.000Z"
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "id": "07a86d47-7042-4106-883d-0f432e57191a",
                     *           "createdAt": "2026-01-15T12:00:00.000Z",
                     *           "updatedAt": "2026-01-15T12:00:00.000Z",
                     *           "target": {
                     *             "url": "https://shop.example/products/shirt?size=m",
                     *             "kind": "direct_url",
                     *             "request": "size M, two of them"
                     *           },
                     *           "constraints": {
                     *             "maxCost": {
                     *               "amount": "49.90",
                     *               "currency": "USD"
                     *             }
                     *           },
                     *           "metadata": {
                     *             "trip": "paris",
                     *             "nested": {
                     *               "a": [
                     *                 1,
                     *                 2
                     *               ]
                     *             }
                     *           },
                     *           "status": "queued",
                     *           "progressItems": [
                     *             {
                     *               "type": "step",
                     *               "title": "Waiting for a browser",
                     *               "createdAt": "2026-01-15T12:00:00.000Z"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "nextCursor": "d8148de01a5d37bf3f797d09bdf9ce6863e0609fb65cf602ad987d31e63101ba8be1a20fadef0c8f737082"
                     *     }
                     */
                    "application/json": components["schemas"]["AgentCheckoutList"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
        };
    };
    createAgentCheckout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "target": {
                 *         "kind": "direct_url",
                 *         "url": "http://127.0.0.1:3000/shop/item.html/A-104",
                 *         "request": "100 g, tin. Use my existing account."
                 *       },
                 *       "constraints": {
                 *         "maxCost": {
                 *           "amount": "200",
                 *           "currency": "GBP"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateAgentCheckout"];
            };
        };
        responses: {
            /** @description The checkout. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "updatedAt": "2026-01-15T12:00:00.000Z",
                     *       "target": {
                     *         "kind": "direct_url",
                     *         "url": "http://127.0.0.1:3000/shop/item.html/A-104",
                     *         "request": "100 g, tin. Use my existing account."
                     *       },
                     *       "constraints": {
                     *         "maxCost": {
                     *           "amount": "200",
                     *           "currency": "GBP"
                     *         }
                     *       },
                     *       "status": "queued",
                     *       "progressItems": [
                     *         {
                     *           "type": "step",
                     *           "title": "Waiting for a browser",
                     *           "createdAt": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AgentCheckout"];
                };
            };
            /**
             * @description `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `buyer-profile-not-found`: Buyer profile not found.
             *
             *     `browser-profile-not-found`: Browser profile not found.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `conflict`: The object was changed at the same time: read it again and retry.
             *
             *     `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `idempotency-key-reused`: The idempotency key was used with another body: send a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
        };
    };
    getAgentCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The checkout. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "updatedAt": "2026-01-15T12:00:05.000Z",
                     *       "target": {
                     *         "url": "http://127.0.0.1:3000/shop/item.html/A-104",
                     *         "kind": "direct_url",
                     *         "request": "100 g, tin. Use my existing account."
                     *       },
                     *       "constraints": {
                     *         "maxCost": {
                     *           "amount": "200",
                     *           "currency": "GBP"
                     *         }
                     *       },
                     *       "status": "awaiting_user_action",
                     *       "progressItems": [
                     *         {
                     *           "type": "step",
                     *           "title": "Waiting for a browser",
                     *           "createdAt": "2026-01-15T12:00:00.000Z"
                     *         },
                     *         {
                     *           "type": "step",
                     *           "title": "A browser is opened",
                     *           "createdAt": "2026-01-15T12:00:01.000Z"
                     *         }
                     *       ],
                     *       "pendingUserAction": {
                     *         "id": "07a86d47-7042-4106-883d-0f432e57191a",
                     *         "kind": "merchant-login",
                     *         "message": "Sign in at http://127.0.0.1:3000. What you enter goes to the shop and is not kept. With a browser profile the shop knows you next time.",
                     *         "responseSchema": {
                     *           "type": "object",
                     *           "anyOf": [
                     *             {
                     *               "title": "Sign in for me",
                     *               "required": [
                     *                 "username",
                     *                 "password"
                     *               ]
                     *             },
                     *             {
                     *               "title": "I have signed in in the live page",
                     *               "required": [
                     *                 "done"
                     *               ]
                     *             }
                     *           ],
                     *           "properties": {
                     *             "done": {
                     *               "type": "boolean",
                     *               "const": true,
                     *               "title": "I have signed in in the live page"
                     *             },
                     *             "password": {
                     *               "type": "string",
                     *               "title": "Password",
                     *               "format": "password"
                     *             },
                     *             "username": {
                     *               "type": "string",
                     *               "title": "User name or e-mail address"
                     *             }
                     *           }
                     *         },
                     *         "expiresAt": "2026-01-15T12:15:05.000Z",
                     *         "url": "http://127.0.0.1/api/sandbox/agent-checkouts/82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a"
                     *       },
                     *       "browser": {
                     *         "embedUrl": "/api/live/agent-checkouts/82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a#mwsvqguu.d8148de01a5d37bf3f797d09bdf9ce6863e0609fb65",
                     *         "permissions": [
                     *           "view",
                     *           "control"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AgentCheckout"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `checkout-not-found`: Checkout not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
        };
    };
    cancelAgentCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It will be cancelled. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `checkout-not-found`: Checkout not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `checkout-finished`: The checkout has ended. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
        };
    };
    respondToUserAction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                /** @example 07a86d47-7042-4106-883d-0f432e57191a */
                actionId: string;
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "submit",
                 *       "values": {
                 *         "choice": ""
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RespondToUserAction"];
            };
        };
        responses: {
            /** @description The answer was taken. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "checkoutId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "actionId": "07a86d47-7042-4106-883d-0f432e57191a",
                     *       "status": "accepted",
                     *       "acceptedAt": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UserActionAcknowledgement"];
                };
            };
            /**
             * @description `action-schema-mismatch`: The values do not fit the responseSchema of the action.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `checkout-not-found`: Checkout not found.
             *
             *     `action-not-found`: Action not found.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `action-stale`: The action was answered or superseded.
             *
             *     `checkout-finished`: The checkout has ended.
             *
             *     `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `idempotency-key-reused`: The idempotency key was used with another body: send a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
        };
    };
    listAgentCheckoutSteps: {
        parameters: {
            query?: {
                cursor?: string;
                /** @example 2 */
                limit?: string;
            };
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "nr": 1,
                     *           "step": "open",
                     *           "at": "2026-01-15T12:00:00.000Z",
                     *           "url": "https://shop.example/cart",
                     *           "detail": {
                     *             "title": "At open"
                     *           },
                     *           "hasPicture": false
                     *         },
                     *         {
                     *           "nr": 2,
                     *           "step": "open",
                     *           "at": "2026-01-15T12:00:00.000Z",
                     *           "url": "https://shop.example/cart",
                     *           "detail": {
                     *             "title": "At open"
                     *           },
                     *           "hasPicture": true
                     *         }
                     *       ],
                     *       "nextCursor": "07a86d4770426106883d0f432e57191a4abaf253f73c964bfb2d8fd4f009175cf0b89bbd204fef7ad9b725"
                     *     }
                     */
                    "application/json": components["schemas"]["AgentCheckoutSteps"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `checkout-not-found`: Checkout not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
        };
    };
    getAgentCheckoutPicture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                id: string;
                /** @example 2 */
                nr: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. [A recorded one](/docs/examples/getAgentCheckoutPicture.jpg): a cart in a test shop. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `checkout-not-found`: Checkout not found.
             *
             *     `picture-not-found`: The step has no picture (any more).
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
        };
    };
    listBrowserProfiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description None or one. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *           "label": "Shopping",
                     *           "createdAt": "2026-01-15T12:00:00.000Z",
                     *           "updatedAt": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["BrowserProfileList"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
        };
    };
    createBrowserProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["CreateBrowserProfile"];
            };
        };
        responses: {
            /** @description The browser profile. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "updatedAt": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["BrowserProfile"];
                };
            };
            /**
             * @description `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `browser-profile-exists`: The user has a browser profile already.
             *
             *     `conflict`: The object was changed at the same time: read it again and retry.
             *
             *     `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `idempotency-key-reused`: The idempotency key was used with another body: send a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
        };
    };
    getBrowserProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The browser profile. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "updatedAt": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["BrowserProfile"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `browser-profile-not-found`: Browser profile not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
        };
    };
    deleteBrowserProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted, and its erasure scheduled. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `browser-profile-not-found`: Browser profile not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `profile-erasure-unavailable`: The erasure could not be scheduled; the profile is intact: retry.
             *
             *     `provider-unavailable`: A needed provider is not available: retry later.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
        };
    };
    updateBrowserProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "label": "Other"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateBrowserProfile"];
            };
        };
        responses: {
            /** @description The browser profile. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "label": "Other",
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "updatedAt": "2026-01-15T12:01:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["BrowserProfile"];
                };
            };
            /**
             * @description `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `browser-profile-not-found`: Browser profile not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `conflict`: The object was changed at the same time: read it again and retry. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
        };
    };
    listBuyerProfiles: {
        parameters: {
            query?: {
                /** @example 82dbc4681e280b749ca508bb9dc2cb8aa16c4cfb4d653a60d06c7375448245ce4fb73172745cd6409a233e */
                cursor?: string;
                /** @example 2 */
                limit?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "07a86d47-7042-4106-883d-0f432e57191a",
                     *           "label": "Home",
                     *           "name": {
                     *             "first": "Ann",
                     *             "last": "Miller"
                     *           },
                     *           "contact": {
                     *             "email": "Ann@example.com",
                     *             "phone": "+14155550100"
                     *           },
                     *           "shipping": {
                     *             "addressLines": [
                     *               "1 Main Street",
                     *               "Apt 2"
                     *             ],
                     *             "locality": "Springfield",
                     *             "administrativeAreaCode": "US-CA",
                     *             "postalCode": "90210",
                     *             "countryCode": "US"
                     *           },
                     *           "createdAt": "2026-01-15T12:00:01.000Z",
                     *           "updatedAt": "2026-01-15T12:00:01.000Z"
                     *         },
                     *         {
                     *           "id": "d8148de0-1a5d-47bf-8f79-7d09bdf9ce68",
                     *           "label": "Home",
                     *           "name": {
                     *             "first": "Ann",
                     *             "last": "Miller"
                     *           },
                     *           "contact": {
                     *             "email": "Ann@example.com",
                     *             "phone": "+14155550100"
                     *           },
                     *           "shipping": {
                     *             "addressLines": [
                     *               "1 Main Street",
                     *               "Apt 2"
                     *             ],
                     *             "locality": "Springfield",
                     *             "administrativeAreaCode": "US-CA",
                     *             "postalCode": "90210",
                     *             "countryCode": "US"
                     *           },
                     *           "createdAt": "2026-01-15T12:00:00.000Z",
                     *           "updatedAt": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": "c345cea8d3df5a892716acabd357990df3fc9fe9f2f67c36f94a014fea17257819ae45fe6f38f865933c57"
                     *     }
                     */
                    "application/json": components["schemas"]["BuyerProfileList"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
        };
    };
    createBuyerProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "shipping": {
                 *         "addressLines": [
                 *           "1 Main St"
                 *         ],
                 *         "locality": "Berlin",
                 *         "countryCode": "DE"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateBuyerProfile"];
            };
        };
        responses: {
            /** @description The buyer profile. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "shipping": {
                     *         "addressLines": [
                     *           "1 Main St"
                     *         ],
                     *         "locality": "Berlin",
                     *         "countryCode": "DE"
                     *       },
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "updatedAt": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["BuyerProfile"];
                };
            };
            /**
             * @description `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `conflict`: The object was changed at the same time: read it again and retry.
             *
             *     `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `idempotency-key-reused`: The idempotency key was used with another body: send a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
        };
    };
    getBuyerProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The buyer profile. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "label": "A",
                     *       "name": {
                     *         "first": "B",
                     *         "last": "Miller"
                     *       },
                     *       "contact": {
                     *         "email": "Ann@example.com",
                     *         "phone": "+14155550111"
                     *       },
                     *       "shipping": {
                     *         "addressLines": [
                     *           "1 Main Street",
                     *           "Apt 2"
                     *         ],
                     *         "locality": "Springfield",
                     *         "administrativeAreaCode": "US-CA",
                     *         "postalCode": "90210",
                     *         "countryCode": "US"
                     *       },
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "updatedAt": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["BuyerProfile"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `buyer-profile-not-found`: Buyer profile not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
        };
    };
    deleteBuyerProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `buyer-profile-not-found`: Buyer profile not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
        };
    };
    updateBuyerProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "label": "A"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateBuyerProfile"];
            };
        };
        responses: {
            /** @description The buyer profile. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "label": "A",
                     *       "name": {
                     *         "first": "Ann",
                     *         "last": "Miller"
                     *       },
                     *       "contact": {
                     *         "email": "Ann@example.com",
                     *         "phone": "+14155550100"
                     *       },
                     *       "shipping": {
                     *         "addressLines": [
                     *           "1 Main Street",
                     *           "Apt 2"
                     *         ],
                     *         "locality": "Springfield",
                     *         "administrativeAreaCode": "US-CA",
                     *         "postalCode": "90210",
                     *         "countryCode": "US"
                     *       },
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "updatedAt": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["BuyerProfile"];
                };
            };
            /**
             * @description `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `buyer-profile-not-found`: Buyer profile not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `conflict`: The object was changed at the same time: read it again and retry. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                after?: string;
                /**
                 * @description Entries per page, 1 to 100; default 20.
                 * @example 3
                 */
                limit?: string;
                /** @description Comma-separated types; all when absent. */
                types?: string;
            };
            header?: {
                /** @description `text/event-stream` for server-sent events. */
                accept?: string;
                /** @description Where a stream goes on: it wins over `after`. */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events": [
                     *         {
                     *           "id": "07a86d47-7042-4106-883d-0f432e57191a",
                     *           "position": "4",
                     *           "type": "orders.payment.succeeded",
                     *           "object": "order:1",
                     *           "createdAt": "2026-01-15T12:00:00.000Z",
                     *           "payload": {
                     *             "actionId": "1",
                     *             "type": "orders.payment.succeeded",
                     *             "data": {
                     *               "n": 3
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "id": "d8148de0-1a5d-47bf-8f79-7d09bdf9ce68",
                     *           "position": "5",
                     *           "type": "orders.payment.succeeded",
                     *           "object": "order:1",
                     *           "createdAt": "2026-01-15T12:00:00.000Z",
                     *           "payload": {
                     *             "actionId": "1",
                     *             "type": "orders.payment.succeeded",
                     *             "data": {
                     *               "n": 4
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": "7"
                     *     }
                     */
                    "application/json": components["schemas"]["EventPage"];
                    "text/event-stream": string;
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `event-not-found`: There is no such event, or it is past its retention. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listLedgerAccounts: {
        parameters: {
            query?: {
                /** @description What was recorded until this instant, inclusive; everything when absent. */
                at?: string;
                /** @description `nextCursor` of an answer to the same query. */
                cursor?: string;
                /**
                 * @description Rows per page, 1 to 100; default 50.
                 * @example 3
                 */
                limit?: string;
                /**
                 * @description Only accounts that begin so, e.g. `bank:`.
                 * @example bank:
                 */
                prefix?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of balances. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "account": "bank:b:in_transit:ach",
                     *           "asset": "usd",
                     *           "symbol": "USD",
                     *           "posted": "0.01",
                     *           "postedMinor": "1",
                     *           "pending": "0",
                     *           "pendingMinor": "0"
                     *         },
                     *         {
                     *           "account": "bank:b:in_transit:rtp",
                     *           "asset": "usd",
                     *           "symbol": "USD",
                     *           "posted": "0.01",
                     *           "postedMinor": "1",
                     *           "pending": "0",
                     *           "pendingMinor": "0"
                     *         }
                     *       ],
                     *       "nextCursor": "82dbc4681e280b749ca508bb9dc2cb8aa16c4cfb4d653a60d06c7375448245ce4fb73172745cd6409a233e"
                     *     }
                     */
                    "application/json": components["schemas"]["LedgerAccountsPage"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `timeout`: A timeout occurred. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listLedgerAccountEntries: {
        parameters: {
            query?: {
                /**
                 * @description `nextCursor` of an answer to the same query.
                 * @example 82dbc4681e280b749ca508bb9dc2cb8aa16c4cfb4d653a60d06c7375448245ce4fb73172
                 */
                cursor?: string;
                /**
                 * @description Rows per page, 1 to 100; default 50.
                 * @example 2
                 */
                limit?: string;
            };
            header?: never;
            path: {
                /**
                 * @description E.g. `bank:column:in_transit:ach`.
                 * @example bank:sandbox:account
                 */
                account: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "07a86d47-7042-4106-883d-0f432e57191a",
                     *           "reference": "entry-13",
                     *           "kind": "nr-2",
                     *           "phase": "post",
                     *           "effectiveAt": "2026-01-15T12:00:00.000Z",
                     *           "recordedAt": "2026-01-15T12:01:00.000Z",
                     *           "postings": [
                     *             {
                     *               "account": "equity:owner",
                     *               "asset": "usd",
                     *               "symbol": "USD",
                     *               "amount": "-1",
                     *               "amountMinor": "-100"
                     *             },
                     *             {
                     *               "account": "bank:sandbox:account",
                     *               "asset": "usd",
                     *               "symbol": "USD",
                     *               "amount": "1",
                     *               "amountMinor": "100"
                     *             }
                     *           ],
                     *           "data": {}
                     *         },
                     *         {
                     *           "id": "d8148de0-1a5d-47bf-8f79-7d09bdf9ce68",
                     *           "reference": "entry-12",
                     *           "kind": "nr-1",
                     *           "phase": "post",
                     *           "effectiveAt": "2026-01-15T12:00:00.000Z",
                     *           "recordedAt": "2026-01-15T12:01:00.000Z",
                     *           "postings": [
                     *             {
                     *               "account": "equity:owner",
                     *               "asset": "usd",
                     *               "symbol": "USD",
                     *               "amount": "-1",
                     *               "amountMinor": "-100"
                     *             },
                     *             {
                     *               "account": "bank:sandbox:account",
                     *               "asset": "usd",
                     *               "symbol": "USD",
                     *               "amount": "1",
                     *               "amountMinor": "100"
                     *             }
                     *           ],
                     *           "data": {}
                     *         }
                     *       ],
                     *       "nextCursor": "c345cea8d3df5a892716acabd357990df3fc9fe9f2f67c36f94a014fea17257819ae45fe"
                     *     }
                     */
                    "application/json": components["schemas"]["LedgerEntriesPage"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `timeout`: A timeout occurred. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLedgerTrialBalance: {
        parameters: {
            query?: {
                /** @description What was recorded until this instant, inclusive; everything when absent. */
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The trial balance. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "assets": [
                     *         {
                     *           "asset": "base:0x07a86d4770426106883d0f432e57191a4abaf253",
                     *           "symbol": "usdc",
                     *           "debit": "0.000001",
                     *           "debitMinor": "1",
                     *           "credit": "0.000001",
                     *           "creditMinor": "1",
                     *           "accounts": [
                     *             {
                     *               "account": "chain:base:treasury",
                     *               "debit": "0.000001",
                     *               "debitMinor": "1",
                     *               "credit": "0",
                     *               "creditMinor": "0",
                     *               "pending": "0",
                     *               "pendingMinor": "0"
                     *             },
                     *             {
                     *               "account": "equity:owner",
                     *               "debit": "0",
                     *               "debitMinor": "0",
                     *               "credit": "0.000001",
                     *               "creditMinor": "1",
                     *               "pending": "0",
                     *               "pendingMinor": "0"
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "asset": "usd",
                     *           "symbol": "USD",
                     *           "debit": "1",
                     *           "debitMinor": "100",
                     *           "credit": "1",
                     *           "creditMinor": "100",
                     *           "accounts": [
                     *             {
                     *               "account": "bank:sandbox:account",
                     *               "debit": "1",
                     *               "debitMinor": "100",
                     *               "credit": "0",
                     *               "creditMinor": "0",
                     *               "pending": "0",
                     *               "pendingMinor": "0"
                     *             },
                     *             {
                     *               "account": "equity:owner",
                     *               "debit": "0",
                     *               "debitMinor": "0",
                     *               "credit": "1",
                     *               "creditMinor": "100",
                     *               "pending": "0",
                     *               "pendingMinor": "0"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["LedgerTrialBalance"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `timeout`: A timeout occurred. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listOrderLedgerEntries: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an answer to the same query. */
                cursor?: string;
                /** @description Rows per page, 1 to 100; default 50. */
                limit?: string;
            };
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "07a86d47-7042-4106-883d-0f432e57191a",
                     *           "reference": "deposit:1:final",
                     *           "kind": "deposit-final",
                     *           "phase": "post",
                     *           "orderId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *           "effectiveAt": "2026-01-15T12:00:00.000Z",
                     *           "recordedAt": "2026-01-15T12:01:00.000Z",
                     *           "postings": [
                     *             {
                     *               "account": "order:82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a:clearing",
                     *               "asset": "base:0xc345cea8d3df5a892716acabd357990df3fc9fe9",
                     *               "symbol": "usdc",
                     *               "amount": "-25.5",
                     *               "amountMinor": "-25500000"
                     *             },
                     *             {
                     *               "account": "chain:base:treasury",
                     *               "asset": "base:0xc345cea8d3df5a892716acabd357990df3fc9fe9",
                     *               "symbol": "usdc",
                     *               "amount": "25.5",
                     *               "amountMinor": "25500000"
                     *             }
                     *           ],
                     *           "data": {
                     *             "txId": "0x1"
                     *           }
                     *         },
                     *         {
                     *           "id": "b1186d96-4dcc-4ad5-8aa3-16bb36b498ee",
                     *           "reference": "entry-2",
                     *           "kind": "payout-submitted",
                     *           "phase": "hold",
                     *           "orderId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *           "effectiveAt": "2026-01-15T12:00:00.000Z",
                     *           "recordedAt": "2026-01-15T12:01:00.000Z",
                     *           "postings": [
                     *             {
                     *               "account": "bank:column:in_transit:ach",
                     *               "asset": "usd",
                     *               "symbol": "USD",
                     *               "amount": "-25",
                     *               "amountMinor": "-2500"
                     *             },
                     *             {
                     *               "account": "order:82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a:clearing",
                     *               "asset": "usd",
                     *               "symbol": "USD",
                     *               "amount": "25",
                     *               "amountMinor": "2500"
                     *             }
                     *           ],
                     *           "data": {}
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["LedgerEntriesPage"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `order-not-found`: Order not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `timeout`: A timeout occurred. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listOrderRefunds: {
        parameters: {
            query?: {
                lineItem?: string;
            };
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "orderId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *         "lineItem": 0,
                     *         "reason": "wrong account",
                     *         "status": "refund-request-rejected"
                     *       },
                     *       {
                     *         "orderId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *         "lineItem": 0,
                     *         "reason": "wrong account",
                     *         "status": "refund-request-completed"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["RefundRequest"][];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `order-not-found`: Order not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `timeout`: A timeout occurred. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    requestOrderRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "lineItem": 0,
                 *       "reason": "never arrived"
                 *     }
                 */
                "application/json": components["schemas"]["RefundRequestBody"];
            };
        };
        responses: {
            /** @description The request; an operator decides it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "orderId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "lineItem": 0,
                     *       "reason": "never arrived",
                     *       "status": "refund-request-initiated"
                     *     }
                     */
                    "application/json": components["schemas"]["RefundRequest"];
                };
            };
            /**
             * @description `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `order-not-found`: Order not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `refund-not-allowed`: The line item cannot be refunded.
             *
             *     `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-reused`: The idempotency key was used with another body: send a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `timeout`: A timeout occurred. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOrderTracking: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry per parcel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "status": "delivered",
                     *         "deliveryTimeRange": {
                     *           "lowerBound": "2026-01-15T12:00:00.000Z",
                     *           "upperBound": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["OrderTracking"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `order-not-found`: Order not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `timeout`: A timeout occurred. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOrderLimits: {
        parameters: {
            query?: {
                /** @description Every kind when absent. */
                kind?: "onramp" | "offramp" | "checkout";
                /** @description `card`, a chain, or a payout rail: adds the limits that hold for it. */
                rail?: string;
                /**
                 * @description Symbol of a token, e.g. `usdc`: adds the limit of its volume per day.
                 * @example USDC
                 */
                token?: string;
                /** @description Whose limits; those of the project alone when absent. */
                userLocator?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In US dollars. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "subject": "token",
                     *           "token": "usdc",
                     *           "period": "daily",
                     *           "limit": "10000",
                     *           "used": "120.5",
                     *           "remainingAmount": "9879.5",
                     *           "hoursUntilReset": "17",
                     *           "currency": "usd"
                     *         },
                     *         {
                     *           "subject": "project",
                     *           "kind": "offramp",
                     *           "period": "single",
                     *           "limit": "250",
                     *           "used": "0",
                     *           "remainingAmount": "250",
                     *           "hoursUntilReset": "0",
                     *           "currency": "usd"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OrderLimits"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `validation-error`: The request is not valid.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `timeout`: A timeout occurred. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPaymentMethods: {
        parameters: {
            query?: {
                /**
                 * @description `nextCursor` of the page before.
                 * @example 82dbc4681e280b749ca508bb9dc2cb8aa16c4cfb4d653a60d06c7375448245ce4fb
                 */
                cursor?: string;
                /**
                 * @description 1 to 100; 20 when absent.
                 * @example 2
                 */
                limit?: string;
                /** @example bank-account-us */
                type?: "bank-account-us" | "bank-account-mx-clabe" | "bank-account-co" | "bank-account-sepa-iban" | "card";
                /**
                 * @description Required with a server-side key.
                 * @example userId:user-23
                 */
                userLocator?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "paymentMethodId": "07a86d47-7042-4106-883d-0f432e57191a",
                     *           "type": "bank-account-us",
                     *           "default": false,
                     *           "displayName": "Example Bank ••333",
                     *           "createdAt": "2026-01-15T12:00:01.000Z",
                     *           "updatedAt": "2026-01-15T12:00:01.000Z",
                     *           "bankAccount": {
                     *             "accountSuffix": "333",
                     *             "routingNumber": "021000021",
                     *             "accountType": "checking",
                     *             "bankName": "Example Bank",
                     *             "bankAddress": {
                     *               "line1": "1 Bank Street",
                     *               "city": "New York",
                     *               "stateOrRegion": "NY",
                     *               "postalCode": "10001",
                     *               "country": "US"
                     *             },
                     *             "currency": "usd",
                     *             "country": "US",
                     *             "entityType": "individual",
                     *             "billing": {
                     *               "name": "Alice Example",
                     *               "phone": "+14155550123",
                     *               "address": {
                     *                 "line1": "500 Main Street",
                     *                 "city": "San Francisco",
                     *                 "stateOrRegion": "CA",
                     *                 "postalCode": "94105",
                     *                 "country": "US"
                     *               }
                     *             },
                     *             "rails": {
                     *               "supported": [
                     *                 "ach",
                     *                 "wire"
                     *               ],
                     *               "status": "active"
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "paymentMethodId": "d8148de0-1a5d-47bf-8f79-7d09bdf9ce68",
                     *           "type": "bank-account-us",
                     *           "default": false,
                     *           "displayName": "Example Bank ••222",
                     *           "createdAt": "2026-01-15T12:00:00.000Z",
                     *           "updatedAt": "2026-01-15T12:00:00.000Z",
                     *           "bankAccount": {
                     *             "accountSuffix": "222",
                     *             "routingNumber": "021000021",
                     *             "accountType": "checking",
                     *             "bankName": "Example Bank",
                     *             "bankAddress": {
                     *               "line1": "1 Bank Street",
                     *               "city": "New York",
                     *               "stateOrRegion": "NY",
                     *               "postalCode": "10001",
                     *               "country": "US"
                     *             },
                     *             "currency": "usd",
                     *             "country": "US",
                     *             "entityType": "individual",
                     *             "billing": {
                     *               "name": "Alice Example",
                     *               "phone": "+14155550123",
                     *               "address": {
                     *                 "line1": "500 Main Street",
                     *                 "city": "San Francisco",
                     *                 "stateOrRegion": "CA",
                     *                 "postalCode": "94105",
                     *                 "country": "US"
                     *               }
                     *             },
                     *             "rails": {
                     *               "supported": [
                     *                 "ach",
                     *                 "wire"
                     *               ],
                     *               "status": "active"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": "c345cea8d3df5a892716acabd357990df3fc9fe9f2f67c36f94a014fea17257819a"
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentMethodList"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `validation-error`: The request is not valid.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `user-not-found`: User not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                paymentMethodId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment method, without its number. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "paymentMethodId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "type": "bank-account-us",
                     *       "default": false,
                     *       "displayName": "Example Bank ••6259",
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "updatedAt": "2026-01-15T12:00:01.000Z",
                     *       "bankAccount": {
                     *         "accountSuffix": "6259",
                     *         "bankName": "Example Bank",
                     *         "bankAddress": {
                     *           "line1": "1 Bank Street",
                     *           "city": "New York",
                     *           "stateOrRegion": "NY",
                     *           "postalCode": "10001",
                     *           "country": "US"
                     *         },
                     *         "entityType": "individual",
                     *         "billing": {
                     *           "name": "Alice Example",
                     *           "phone": "+14155550123",
                     *           "address": {
                     *             "line1": "500 Main Street",
                     *             "city": "San Francisco",
                     *             "stateOrRegion": "CA",
                     *             "postalCode": "94105",
                     *             "country": "US"
                     *           }
                     *         },
                     *         "currency": "usd",
                     *         "country": "US",
                     *         "routingNumber": "021000021",
                     *         "accountType": "checking",
                     *         "rails": {
                     *           "supported": [
                     *             "ach",
                     *             "wire"
                     *           ],
                     *           "status": "active"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentMethod"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payment-method-not-found`: Payment method not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deletePaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                paymentMethodId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payment-method-not-found`: Payment method not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updatePaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                paymentMethodId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "billing": {
                 *         "name": "Alice B. Example",
                 *         "phone": "+442071838750"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdatePaymentMethodBody"];
            };
        };
        responses: {
            /** @description The payment method as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "paymentMethodId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "type": "bank-account-us",
                     *       "default": true,
                     *       "displayName": "Example Bank ••6259",
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "updatedAt": "2026-01-15T12:00:01.000Z",
                     *       "bankAccount": {
                     *         "accountSuffix": "6259",
                     *         "bankName": "Example Bank",
                     *         "bankAddress": {
                     *           "line1": "1 Bank Street",
                     *           "city": "New York",
                     *           "stateOrRegion": "NY",
                     *           "postalCode": "10001",
                     *           "country": "US"
                     *         },
                     *         "entityType": "individual",
                     *         "billing": {
                     *           "name": "Alice B. Example",
                     *           "phone": "+442071838750",
                     *           "address": {
                     *             "line1": "2 Side Street",
                     *             "city": "Austin",
                     *             "stateOrRegion": "TX",
                     *             "postalCode": "73301",
                     *             "country": "US"
                     *           }
                     *         },
                     *         "currency": "usd",
                     *         "country": "US",
                     *         "routingNumber": "021000021",
                     *         "accountType": "checking",
                     *         "rails": {
                     *           "supported": [
                     *             "ach",
                     *             "wire"
                     *           ],
                     *           "status": "active"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentMethod"];
                };
            };
            /**
             * @description `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unauthorized`: The API key is missing or not valid.
             *
             *     `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payment-method-not-found`: Payment method not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: The object was changed at the same time: read it again and retry. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWalletTransfers: {
        parameters: {
            query: {
                /**
                 * @description Chain name of the wallet's family, e.g. `base-sepolia`.
                 * @example base-sepolia
                 */
                chain: string;
                /** @description `nextCursor` or `previousCursor` of an answer to the same query. */
                cursor?: string;
                /** @description Events completed at or after this instant. */
                fromDate?: string;
                /** @description Events per page, 1 to 100; default 20. */
                limit?: string;
                /** @description By time; `desc`, newest first, when absent. */
                sort?: "asc" | "desc";
                /** @example successful */
                status: "successful" | "failed";
                /** @description Events completed at or before this instant. */
                toDate?: string;
                /** @description Comma-separated symbols or token locators; every token when absent. */
                tokens?: string;
            };
            header?: never;
            path: {
                /** @example 0x07a86D4770426106883D0f432e57191a4AbAf253 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of transfers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "type": "wallets.transfer.in",
                     *           "status": "succeeded",
                     *           "sender": {
                     *             "address": "0x0000000000000000000000000000000000000000",
                     *             "chain": "base-sepolia",
                     *             "locator": "base-sepolia:0x0000000000000000000000000000000000000000"
                     *           },
                     *           "recipient": {
                     *             "address": "0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *             "chain": "base-sepolia",
                     *             "locator": "base-sepolia:0x07a86D4770426106883D0f432e57191a4AbAf253",
                     *             "owner": "email:user4@example.com"
                     *           },
                     *           "token": {
                     *             "locator": "base-sepolia:0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f",
                     *             "amount": "10",
                     *             "rawAmount": "10000000",
                     *             "symbol": "usdxm",
                     *             "decimals": 6,
                     *             "type": "fungible",
                     *             "chain": "base-sepolia",
                     *             "contractAddress": "0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f"
                     *           },
                     *           "transferId": "9f91463d-e41d-4cb8-8d97-ac1a879ee05b",
                     *           "completedAt": "2026-01-15T12:00:00.000Z",
                     *           "onChain": {
                     *             "txId": "0x89a7f8fbf8ccedfff3d2d50e2210a02606a3117efa867310d96d60e48065425f",
                     *             "explorerLink": "https://sepolia.basescan.org/tx/0x89a7f8fbf8ccedfff3d2d50e2210a02606a3117efa867310d96d60e48065425f"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ActivityPage"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `chain-not-supported`: The chain is not supported here.
             *
             *     `validation-error`: The request is not valid.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wallet-not-found`: Wallet not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "endpointId": "07a86d47-7042-4106-883d-0f432e57191a",
                     *       "eventId": "d8148de0-1a5d-47bf-8f79-7d09bdf9ce68",
                     *       "eventType": "orders.payment.succeeded",
                     *       "object": "order:1",
                     *       "kind": "event",
                     *       "status": "failed",
                     *       "attemptCount": 8,
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "finishedAt": "2026-01-16T15:35:03.000Z",
                     *       "attempts": [
                     *         {
                     *           "at": "2026-01-15T12:00:01.000Z",
                     *           "error": "The receiver answered 500.",
                     *           "answer": "out of order",
                     *           "durationMs": 1,
                     *           "statusCode": 500
                     *         },
                     *         {
                     *           "at": "2026-01-15T12:00:02.000Z",
                     *           "error": "The receiver answered 500.",
                     *           "answer": "out of order",
                     *           "durationMs": 1,
                     *           "statusCode": 500
                     *         }
                     *       ],
                     *       "payload": {
                     *         "actionId": "1",
                     *         "type": "orders.payment.succeeded",
                     *         "data": {
                     *           "status": "completed",
                     *           "orderId": "1"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryDetails"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook-delivery-not-found`: Webhook delivery not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "endpointId": "07a86d47-7042-4106-883d-0f432e57191a",
                     *       "eventId": "d8148de0-1a5d-47bf-8f79-7d09bdf9ce68",
                     *       "eventType": "orders.payment.succeeded",
                     *       "object": "order:1",
                     *       "kind": "resend",
                     *       "status": "pending",
                     *       "attemptCount": 0,
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "attempts": [
                     *         {
                     *           "at": "2026-01-15T12:00:01.000Z",
                     *           "error": "The receiver answered 500.",
                     *           "answer": "",
                     *           "durationMs": 2,
                     *           "statusCode": 500
                     *         },
                     *         {
                     *           "at": "2026-01-15T22:00:01.000Z",
                     *           "error": "The receiver answered 500.",
                     *           "answer": "",
                     *           "durationMs": 1,
                     *           "statusCode": 500
                     *         }
                     *       ],
                     *       "nextAttemptAt": "2026-01-18T20:00:01.000Z",
                     *       "payload": {
                     *         "actionId": "1",
                     *         "type": "orders.payment.succeeded",
                     *         "data": {
                     *           "status": "completed",
                     *           "orderId": "1"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryDetails"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook-delivery-not-found`: Webhook delivery not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `webhook-endpoint-disabled`: The endpoint is disabled: enable it first.
             *
             *     `conflict`: The object was changed at the same time: read it again and retry.
             *
             *     `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-reused`: The idempotency key was used with another body: send a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /**
                 * @description `nextCursor` of an answer to the same query.
                 * @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a
                 */
                cursor?: string;
                /**
                 * @description Entries per page, 1 to 100; default 20.
                 * @example 20
                 */
                limit?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of endpoints, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "endpoints": [
                     *         {
                     *           "id": "07a86d47-7042-4106-883d-0f432e57191a",
                     *           "url": "https://example.com/hook",
                     *           "status": "enabled",
                     *           "createdAt": "2026-01-15T12:00:00.000Z",
                     *           "updatedAt": "2026-01-15T12:00:00.000Z"
                     *         },
                     *         {
                     *           "id": "d8148de0-1a5d-47bf-8f79-7d09bdf9ce68",
                     *           "url": "https://example.com/hook",
                     *           "status": "enabled",
                     *           "createdAt": "2026-01-15T12:00:01.000Z",
                     *           "updatedAt": "2026-01-15T12:00:01.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": "aa42f6ea-263f-4e19-80df-af12fc14671d"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointPage"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "http://127.0.0.1:3000/"
                 *     }
                 */
                "application/json": {
                    description?: string;
                    /** @description Types to send; all when absent. */
                    events?: ("orders.quote.created" | "orders.quote.updated" | "orders.payment.succeeded" | "orders.payment.failed" | "orders.payment.refunded" | "orders.delivery.initiated" | "orders.delivery.completed" | "orders.delivery.failed" | "wallets.transfer.in" | "wallets.transfer.out" | "wallets.signer.exported" | "users.identity-verification.updated" | "agent-checkouts.updated")[];
                    /** @description https address; in development also http, and this machine. */
                    url: string;
                };
            };
        };
        responses: {
            /** @description The endpoint, with its secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "url": "http://127.0.0.1:3000/",
                     *       "status": "enabled",
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "updatedAt": "2026-01-15T12:00:00.000Z",
                     *       "secret": "whsec_…"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedWebhookEndpoint"];
                };
            };
            /**
             * @description `webhook-url-not-allowed`: The address of the endpoint is not allowed.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `webhook-endpoint-limit`: The project has as many endpoints as it may.
             *
             *     `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-reused`: The idempotency key was used with another body: send a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "url": "http://127.0.0.1:3000/hook",
                     *       "status": "disabled",
                     *       "disabledReason": "failing",
                     *       "disabledAt": "2026-01-20T18:00:01.000Z",
                     *       "failingSince": "2026-01-15T12:00:01.000Z",
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "updatedAt": "2026-01-20T18:00:01.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook-endpoint-not-found`: Webhook endpoint not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook-endpoint-not-found`: Webhook endpoint not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "disabled": true,
                 *       "description": null
                 *     }
                 */
                "application/json": {
                    description?: string | null;
                    /** @description A disabled endpoint gets nothing; what was pending goes on when it is enabled again. */
                    disabled?: boolean;
                    /** @description Types to send; null: all. */
                    events?: ("orders.quote.created" | "orders.quote.updated" | "orders.payment.succeeded" | "orders.payment.failed" | "orders.payment.refunded" | "orders.delivery.initiated" | "orders.delivery.completed" | "orders.delivery.failed" | "wallets.transfer.in" | "wallets.transfer.out" | "wallets.signer.exported" | "users.identity-verification.updated" | "agent-checkouts.updated")[] | null;
                    /** @description https address; in development also http, and this machine. */
                    url?: string;
                };
            };
        };
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "url": "https://example.org/",
                     *       "status": "disabled",
                     *       "disabledReason": "asked",
                     *       "disabledAt": "2026-01-15T12:00:01.000Z",
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "updatedAt": "2026-01-15T12:00:01.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /**
             * @description `webhook-url-not-allowed`: The address of the endpoint is not allowed.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook-endpoint-not-found`: Webhook endpoint not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook-endpoint-changed`: The endpoint was changed behind the service, so nothing is sent to it: look at its url and events, and send both together (PATCH) as they should be. The operator was told. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an answer to the same query. */
                cursor?: string;
                /**
                 * @description Entries per page, 1 to 100; default 20.
                 * @example 100
                 */
                limit?: string;
                status?: "pending" | "retrying" | "delivered" | "failed";
                /** @description Type of the event. */
                type?: string;
            };
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries, the newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [
                     *         {
                     *           "id": "07a86d47-7042-4106-883d-0f432e57191a",
                     *           "endpointId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *           "eventId": "d8148de0-1a5d-47bf-8f79-7d09bdf9ce68",
                     *           "eventType": "orders.payment.succeeded",
                     *           "object": "order:1",
                     *           "kind": "event",
                     *           "status": "delivered",
                     *           "attemptCount": 1,
                     *           "createdAt": "2026-01-15T12:00:00.000Z",
                     *           "finishedAt": "2026-01-15T12:00:02.000Z"
                     *         },
                     *         {
                     *           "id": "c345cea8-d3df-4a89-8716-acabd357990d",
                     *           "endpointId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *           "eventId": "b1186d96-4dcc-4ad5-8aa3-16bb36b498ee",
                     *           "eventType": "orders.payment.succeeded",
                     *           "object": "order:1",
                     *           "kind": "event",
                     *           "status": "delivered",
                     *           "attemptCount": 1,
                     *           "createdAt": "2026-01-15T12:00:00.000Z",
                     *           "finishedAt": "2026-01-15T12:00:01.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook-endpoint-not-found`: Webhook endpoint not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhookReplays: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an answer to the same query. */
                cursor?: string;
                /** @description Entries per page, 1 to 100; default 20. */
                limit?: string;
            };
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of replays, the newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "replays": [
                     *         {
                     *           "id": "07a86d47-7042-4106-883d-0f432e57191a",
                     *           "endpointId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *           "from": "2026-01-15T12:00:00.000Z",
                     *           "to": "2026-01-15T12:00:01.000Z",
                     *           "status": "completed",
                     *           "queued": 1200,
                     *           "pending": 0,
                     *           "delivered": 1200,
                     *           "failed": 0,
                     *           "createdAt": "2026-01-15T12:01:01.000Z",
                     *           "finishedAt": "2026-01-15T12:01:02.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookReplayPage"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook-endpoint-not-found`: Webhook endpoint not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createWebhookReplay: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from": "2026-01-15T12:00:00.000Z",
                 *       "events": [
                 *         "orders.payment.failed"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Types to send; those of the endpoint when absent. */
                    events?: ("orders.quote.created" | "orders.quote.updated" | "orders.payment.succeeded" | "orders.payment.failed" | "orders.payment.refunded" | "orders.delivery.initiated" | "orders.delivery.completed" | "orders.delivery.failed" | "wallets.transfer.in" | "wallets.transfer.out" | "wallets.signer.exported" | "users.identity-verification.updated" | "agent-checkouts.updated")[];
                    /**
                     * Format: date-time
                     * @description Events that happened at or after this instant.
                     */
                    from: string;
                    /**
                     * Format: date-time
                     * @description Events that happened at or before this instant; now when absent.
                     */
                    to?: string;
                };
            };
        };
        responses: {
            /** @description The replay, which goes on by itself. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "07a86d47-7042-4106-883d-0f432e57191a",
                     *       "endpointId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "from": "2026-01-15T12:00:00.000Z",
                     *       "to": "2032-12-07T18:23:00.000Z",
                     *       "events": [
                     *         "orders.payment.failed"
                     *       ],
                     *       "status": "running",
                     *       "queued": 0,
                     *       "pending": 0,
                     *       "delivered": 0,
                     *       "failed": 0,
                     *       "createdAt": "2032-12-07T18:23:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookReplay"];
                };
            };
            /**
             * @description `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook-endpoint-not-found`: Webhook endpoint not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `webhook-endpoint-disabled`: The endpoint is disabled: enable it first.
             *
             *     `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-reused`: The idempotency key was used with another body: send a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWebhookReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                endpointId: string;
                /** @example 07a86d47-7042-4106-883d-0f432e57191a */
                replayId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The replay. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "07a86d47-7042-4106-883d-0f432e57191a",
                     *       "endpointId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "from": "2026-01-15T12:00:00.000Z",
                     *       "to": "2026-01-15T12:00:01.000Z",
                     *       "status": "completed",
                     *       "queued": 1200,
                     *       "pending": 0,
                     *       "delivered": 1200,
                     *       "failed": 0,
                     *       "createdAt": "2026-01-15T12:01:01.000Z",
                     *       "finishedAt": "2026-01-15T12:01:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookReplay"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `webhook-endpoint-not-found`: Webhook endpoint not found.
             *
             *     `webhook-replay-not-found`: Webhook replay not found.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": {
                    /** @description How long the old secret signs too; default 86400 (a day), at most 604800 (a week). */
                    overlapSeconds?: number;
                };
            };
        };
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "whsec_…",
                     *       "previousSecretExpiresAt": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["RotatedWebhookSecret"];
                };
            };
            /**
             * @description `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook-endpoint-not-found`: Webhook endpoint not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `webhook-endpoint-changed`: The endpoint was changed behind the service, so nothing is sent to it: look at its url and events, and send both together (PATCH) as they should be. The operator was told.
             *
             *     `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-reused`: The idempotency key was used with another body: send a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                /** @example 82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a */
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its delivery. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "07a86d47-7042-4106-883d-0f432e57191a",
                     *       "endpointId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "eventId": "d8148de0-1a5d-47bf-8f79-7d09bdf9ce68",
                     *       "eventType": "webhooks.test",
                     *       "object": "webhook-endpoint:82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "kind": "test",
                     *       "status": "pending",
                     *       "attemptCount": 0,
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "attempts": [],
                     *       "nextAttemptAt": "2026-01-15T12:00:00.000Z",
                     *       "payload": {
                     *         "id": "d8148de0-1a5d-47bf-8f79-7d09bdf9ce68",
                     *         "type": "webhooks.test",
                     *         "data": {
                     *           "message": "This is a test: nothing has happened.",
                     *           "endpointId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryDetails"];
                };
            };
            /** @description `validation-error`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook-endpoint-not-found`: Webhook endpoint not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `webhook-endpoint-disabled`: The endpoint is disabled: enable it first.
             *
             *     `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-reused`: The idempotency key was used with another body: send a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    fundWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                /**
                 * @description Address of the wallet, or `<kind>:<value>:<walletType>`, e.g. `email:ann@example.com:smart`.
                 * @example 0x07a86D4770426106883D0f432e57191a4AbAf253
                 */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": 3,
                 *       "token": "usdxm",
                 *       "chain": "base"
                 *     }
                 */
                "application/json": components["schemas"]["FundWalletBody"];
            };
        };
        responses: {
            /** @description Confirmed; what the wallet holds of the token now. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "symbol": "usdxm",
                     *         "name": "Test USD",
                     *         "decimals": 6,
                     *         "amount": "3",
                     *         "rawAmount": "3000000",
                     *         "chains": {
                     *           "base-sepolia": {
                     *             "locator": "base-sepolia:usdxm",
                     *             "amount": "3",
                     *             "rawAmount": "3000000",
                     *             "contractAddress": "0xc345CEa8d3dF5a892716AcaBD357990DF3Fc9fe9"
                     *           }
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["BalancesList"];
                };
            };
            /**
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `chain-not-supported`: The chain is not supported here.
             *
             *     `token-not-supported`: The token is not supported on this chain.
             *
             *     `validation-error`: The request is not valid.
             *
             *     `invalid-json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not-authorized`: Authentication is required: send a user JWT or a client secret.
             *
             *     `unauthorized`: The API key is missing or not valid.
             *
             *     `ERROR_JWT_INVALID`: The signing key of the JWT is not in the JWKS of its issuer (ERROR_JWT_INVALID).
             *
             *     `not-authorized.jwt-invalid`: The JWT is not valid.
             *
             *     `not-authorized.jwt-expired`: The JWT has expired: obtain a new one.
             *
             *     `not-authorized.jwt-decryption`: The JWT is encrypted and cannot be read: send a signed JWT.
             *
             *     `not-authorized.jwt-identifier`: The JWT has no `sub` claim.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The API key may not be used in this way.
             *
             *     `forbidden-scope`: The API key lacks a scope.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wallet-not-found`: Wallet not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-in-progress`: The first call with this idempotency key is still running: retry later. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-reused`: The idempotency key was used with another body: send a new key. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests: retry after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: An unexpected error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upstream-error`: A node or provider answered wrongly. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider-unavailable`: A needed provider is not available: retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "agent-checkouts.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                 *       "type": "agent-checkouts.updated",
                 *       "data": {
                 *         "id": "07a86d47-7042-4106-883d-0f432e57191a",
                 *         "status": "awaiting_user_action",
                 *         "target": {
                 *           "url": "https://shop.example/products/shirt?size=m",
                 *           "kind": "direct_url",
                 *           "request": "size M, two of them"
                 *         },
                 *         "metadata": {
                 *           "trip": "paris",
                 *           "nested": {
                 *             "a": [
                 *               1,
                 *               2
                 *             ]
                 *           }
                 *         },
                 *         "createdAt": "2026-01-15T12:00:00.000Z",
                 *         "updatedAt": "2026-01-15T12:00:00.000Z",
                 *         "constraints": {
                 *           "maxCost": {
                 *             "amount": "49.90",
                 *             "currency": "USD"
                 *           }
                 *         },
                 *         "progressItems": [
                 *           {
                 *             "type": "step",
                 *             "title": "Waiting for a browser",
                 *             "createdAt": "2026-01-15T12:00:00.000Z"
                 *           },
                 *           {
                 *             "type": "user-action",
                 *             "title": "Waiting for you",
                 *             "message": "Sign in at https://shop.example. What you enter goes to the shop and is not kept. With a browser profile the shop knows you next time.",
                 *             "createdAt": "2026-01-15T12:00:00.000Z"
                 *           }
                 *         ],
                 *         "pendingUserAction": {
                 *           "id": "d8148de0-1a5d-47bf-8f79-7d09bdf9ce68",
                 *           "url": "http://127.0.0.1/api/sandbox/agent-checkouts/07a86d47-7042-4106-883d-0f432e57191a",
                 *           "kind": "merchant-login",
                 *           "message": "Sign in at https://shop.example. What you enter goes to the shop and is not kept. With a browser profile the shop knows you next time.",
                 *           "expiresAt": "2026-01-15T12:15:00.000Z",
                 *           "responseSchema": {
                 *             "type": "object",
                 *             "anyOf": [
                 *               {
                 *                 "title": "Sign in for me",
                 *                 "required": [
                 *                   "username",
                 *                   "password"
                 *                 ]
                 *               },
                 *               {
                 *                 "title": "I have signed in in the live page",
                 *                 "required": [
                 *                   "done"
                 *                 ]
                 *               }
                 *             ],
                 *             "properties": {
                 *               "done": {
                 *                 "type": "boolean",
                 *                 "const": true,
                 *                 "title": "I have signed in in the live page"
                 *               },
                 *               "password": {
                 *                 "type": "string",
                 *                 "title": "Password",
                 *                 "format": "password"
                 *               },
                 *               "username": {
                 *                 "type": "string",
                 *                 "title": "User name or e-mail address"
                 *               }
                 *             }
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    data: components["schemas"]["AgentCheckout"];
                    /** @description Id of the event, as in `webhook-id`. */
                    id: string;
                    /** @constant */
                    type: "agent-checkouts.updated";
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is sent again later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "orders.delivery.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "actionId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                 *       "type": "orders.delivery.completed",
                 *       "data": {
                 *         "legal": {
                 *           "requirements": []
                 *         },
                 *         "phase": "completed",
                 *         "quote": {
                 *           "status": "valid",
                 *           "quotedAt": "2026-01-15T12:00:00.000Z",
                 *           "expiresAt": "2026-01-15T12:10:00.000Z",
                 *           "totalPrice": {
                 *             "amount": "20",
                 *             "currency": "usd"
                 *           }
                 *         },
                 *         "locale": "en-US",
                 *         "orderId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                 *         "payment": {
                 *           "method": "card",
                 *           "status": "completed",
                 *           "currency": "usd",
                 *           "received": {
                 *             "amount": "20",
                 *             "currency": "usd"
                 *           },
                 *           "totalPaid": {
                 *             "amount": "20",
                 *             "currency": "usd"
                 *           },
                 *           "receiptEmail": "buyer@example.com"
                 *         },
                 *         "lineItems": [
                 *           {
                 *             "chain": "base-sepolia",
                 *             "quote": {
                 *               "status": "valid",
                 *               "charges": {
                 *                 "fees": [
                 *                   {
                 *                     "type": "service",
                 *                     "amount": "0.2",
                 *                     "currency": "usd"
                 *                   },
                 *                   {
                 *                     "type": "card",
                 *                     "amount": "0.88",
                 *                     "currency": "usd"
                 *                   }
                 *                 ],
                 *                 "unit": {
                 *                   "amount": "18.92",
                 *                   "currency": "usd"
                 *                 },
                 *                 "salesTax": {
                 *                   "amount": "0",
                 *                   "currency": "usd"
                 *                 },
                 *                 "shipping": {
                 *                   "amount": "0",
                 *                   "currency": "usd"
                 *                 }
                 *               },
                 *               "totalPrice": {
                 *                 "amount": "20",
                 *                 "currency": "usd"
                 *               },
                 *               "quantityRange": {
                 *                 "lowerBound": "18.7308",
                 *                 "upperBound": "18.92"
                 *               }
                 *             },
                 *             "delivery": {
                 *               "txId": "0xd8148de01a5d37bf3f797d09bdf9ce6863e0609fb65cf602ad987d31e63101ba",
                 *               "status": "completed",
                 *               "tokens": [
                 *                 {
                 *                   "symbol": "usdc",
                 *                   "locator": "base-sepolia:0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f",
                 *                   "decimals": 6,
                 *                   "quantity": "18.92",
                 *                   "contractAddress": "0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f"
                 *                 }
                 *               ],
                 *               "recipient": {
                 *                 "locator": "base-sepolia:0x6c30B8f6E9d856EBCeD809323e8dd5F59299705B",
                 *                 "walletAddress": "0x6c30B8f6E9d856EBCeD809323e8dd5F59299705B"
                 *               },
                 *               "completedAt": "2026-01-15T12:01:00.000Z"
                 *             },
                 *             "metadata": {
                 *               "name": "USD Coin",
                 *               "imageUrl": "data:image/svg+xml;base64,PHN2Zy8+",
                 *               "description": "Purchase of USD Coin"
                 *             },
                 *             "quantity": 1,
                 *             "tokenLocator": "base-sepolia:usdc",
                 *             "executionMode": "exact-in",
                 *             "maxSlippageBps": "100",
                 *             "executionParams": {
                 *               "mode": "exact-in",
                 *               "amount": "20",
                 *               "effectiveAmount": "18.92"
                 *             }
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Id of the order. */
                    actionId: string;
                    data: components["schemas"]["Order"];
                    /** @constant */
                    type: "orders.delivery.completed";
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is sent again later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "orders.delivery.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "actionId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                 *       "type": "orders.delivery.failed",
                 *       "data": {
                 *         "legal": {
                 *           "requirements": []
                 *         },
                 *         "phase": "delivery",
                 *         "quote": {
                 *           "status": "valid",
                 *           "quotedAt": "2026-01-15T12:00:00.000Z",
                 *           "expiresAt": "2026-01-15T12:10:00.000Z",
                 *           "totalPrice": {
                 *             "amount": "20",
                 *             "currency": "usd"
                 *           }
                 *         },
                 *         "locale": "en-US",
                 *         "orderId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                 *         "payment": {
                 *           "method": "card",
                 *           "status": "completed",
                 *           "currency": "usd",
                 *           "received": {
                 *             "amount": "20",
                 *             "currency": "usd"
                 *           },
                 *           "totalPaid": {
                 *             "amount": "20",
                 *             "currency": "usd"
                 *           },
                 *           "receiptEmail": "buyer@example.com",
                 *           "failureReason": {
                 *             "code": "unknown",
                 *             "message": "The tokens could not be delivered; the payment goes back.",
                 *             "retryPolicy": "new-order"
                 *           }
                 *         },
                 *         "lineItems": [
                 *           {
                 *             "chain": "base-sepolia",
                 *             "quote": {
                 *               "status": "valid",
                 *               "charges": {
                 *                 "fees": [
                 *                   {
                 *                     "type": "service",
                 *                     "amount": "0.2",
                 *                     "currency": "usd"
                 *                   },
                 *                   {
                 *                     "type": "card",
                 *                     "amount": "0.88",
                 *                     "currency": "usd"
                 *                   }
                 *                 ],
                 *                 "unit": {
                 *                   "amount": "18.92",
                 *                   "currency": "usd"
                 *                 },
                 *                 "salesTax": {
                 *                   "amount": "0",
                 *                   "currency": "usd"
                 *                 },
                 *                 "shipping": {
                 *                   "amount": "0",
                 *                   "currency": "usd"
                 *                 }
                 *               },
                 *               "totalPrice": {
                 *                 "amount": "20",
                 *                 "currency": "usd"
                 *               },
                 *               "quantityRange": {
                 *                 "lowerBound": "18.7308",
                 *                 "upperBound": "18.92"
                 *               }
                 *             },
                 *             "delivery": {
                 *               "status": "failed",
                 *               "recipient": {
                 *                 "locator": "base-sepolia:0xD8148DE01a5D37bf3f797d09bdf9cE6863e0609f",
                 *                 "walletAddress": "0xD8148DE01a5D37bf3f797d09bdf9cE6863e0609f"
                 *               }
                 *             },
                 *             "metadata": {
                 *               "name": "USD Coin",
                 *               "imageUrl": "data:image/svg+xml;base64,PHN2Zy8+",
                 *               "description": "Purchase of USD Coin"
                 *             },
                 *             "quantity": 1,
                 *             "tokenLocator": "base-sepolia:usdc",
                 *             "executionMode": "exact-in",
                 *             "maxSlippageBps": "100",
                 *             "executionParams": {
                 *               "mode": "exact-in",
                 *               "amount": "20",
                 *               "effectiveAmount": "18.92"
                 *             }
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Id of the order. */
                    actionId: string;
                    data: components["schemas"]["Order"];
                    /** @constant */
                    type: "orders.delivery.failed";
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is sent again later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "orders.delivery.initiated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "actionId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                 *       "type": "orders.delivery.initiated",
                 *       "data": {
                 *         "legal": {
                 *           "requirements": []
                 *         },
                 *         "phase": "delivery",
                 *         "quote": {
                 *           "status": "valid",
                 *           "quotedAt": "2026-01-15T12:00:00.000Z",
                 *           "expiresAt": "2026-01-15T12:10:00.000Z",
                 *           "totalPrice": {
                 *             "amount": "20",
                 *             "currency": "usdxm"
                 *           }
                 *         },
                 *         "locale": "en-US",
                 *         "orderId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                 *         "payment": {
                 *           "method": "base-sepolia",
                 *           "status": "completed",
                 *           "currency": "usdxm",
                 *           "received": {
                 *             "txId": "0xd8148de01a5d37bf3f797d09bdf9ce6863e0609fb65cf602ad987d31e63101ba",
                 *             "chain": "base-sepolia",
                 *             "amount": "20",
                 *             "currency": "usdxm"
                 *           },
                 *           "totalPaid": {
                 *             "amount": "20",
                 *             "currency": "usdxm"
                 *           }
                 *         },
                 *         "lineItems": [
                 *           {
                 *             "chain": "base-sepolia",
                 *             "quote": {
                 *               "status": "valid",
                 *               "charges": {
                 *                 "fees": [
                 *                   {
                 *                     "type": "service",
                 *                     "amount": "0.2",
                 *                     "currency": "usd"
                 *                   }
                 *                 ],
                 *                 "unit": {
                 *                   "amount": "19.8",
                 *                   "currency": "usd"
                 *                 },
                 *                 "salesTax": {
                 *                   "amount": "0",
                 *                   "currency": "usd"
                 *                 },
                 *                 "shipping": {
                 *                   "amount": "0",
                 *                   "currency": "usd"
                 *                 }
                 *               },
                 *               "totalPrice": {
                 *                 "amount": "20",
                 *                 "currency": "usd"
                 *               },
                 *               "quantityRange": {
                 *                 "lowerBound": "19.602",
                 *                 "upperBound": "19.8"
                 *               }
                 *             },
                 *             "delivery": {
                 *               "status": "in-progress",
                 *               "recipient": {
                 *                 "locator": "base-sepolia:0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f",
                 *                 "walletAddress": "0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f",
                 *                 "physicalAddress": {
                 *                   "city": "Reno",
                 *                   "name": "Ada",
                 *                   "line1": "1 Main St",
                 *                   "country": "US",
                 *                   "postalCode": "89501",
                 *                   "stateOrRegion": "NV"
                 *                 }
                 *               }
                 *             },
                 *             "metadata": {
                 *               "name": "USD Coin",
                 *               "imageUrl": "data:image/svg+xml;base64,PHN2Zy8+",
                 *               "description": "Purchase of USD Coin"
                 *             },
                 *             "quantity": 1,
                 *             "tokenLocator": "base-sepolia:usdc",
                 *             "executionMode": "exact-in",
                 *             "maxSlippageBps": "100",
                 *             "executionParams": {
                 *               "mode": "exact-in",
                 *               "amount": "20",
                 *               "effectiveAmount": "19.8"
                 *             }
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Id of the order. */
                    actionId: string;
                    data: components["schemas"]["Order"];
                    /** @constant */
                    type: "orders.delivery.initiated";
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is sent again later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "orders.payment.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "actionId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                 *       "type": "orders.payment.failed",
                 *       "data": {
                 *         "legal": {
                 *           "requirements": []
                 *         },
                 *         "phase": "completed",
                 *         "quote": {
                 *           "status": "valid",
                 *           "quotedAt": "2026-01-15T12:00:00.000Z",
                 *           "expiresAt": "2026-01-15T12:10:00.000Z",
                 *           "totalPrice": {
                 *             "amount": "20",
                 *             "currency": "usd"
                 *           }
                 *         },
                 *         "locale": "en-US",
                 *         "orderId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                 *         "payment": {
                 *           "method": "card",
                 *           "status": "failed",
                 *           "currency": "usd",
                 *           "receiptEmail": "buyer@example.com",
                 *           "failureReason": {
                 *             "code": "payment-declined",
                 *             "message": "The card was declined.",
                 *             "retryPolicy": "new-order"
                 *           }
                 *         },
                 *         "lineItems": [
                 *           {
                 *             "chain": "base-sepolia",
                 *             "quote": {
                 *               "status": "valid",
                 *               "charges": {
                 *                 "fees": [
                 *                   {
                 *                     "type": "service",
                 *                     "amount": "0.2",
                 *                     "currency": "usd"
                 *                   },
                 *                   {
                 *                     "type": "card",
                 *                     "amount": "0.88",
                 *                     "currency": "usd"
                 *                   }
                 *                 ],
                 *                 "unit": {
                 *                   "amount": "18.92",
                 *                   "currency": "usd"
                 *                 },
                 *                 "salesTax": {
                 *                   "amount": "0",
                 *                   "currency": "usd"
                 *                 },
                 *                 "shipping": {
                 *                   "amount": "0",
                 *                   "currency": "usd"
                 *                 }
                 *               },
                 *               "totalPrice": {
                 *                 "amount": "20",
                 *                 "currency": "usd"
                 *               },
                 *               "quantityRange": {
                 *                 "lowerBound": "18.7308",
                 *                 "upperBound": "18.92"
                 *               }
                 *             },
                 *             "delivery": {
                 *               "status": "awaiting-payment",
                 *               "recipient": {
                 *                 "locator": "base-sepolia:0xD8148DE01a5D37bf3f797d09bdf9cE6863e0609f",
                 *                 "walletAddress": "0xD8148DE01a5D37bf3f797d09bdf9cE6863e0609f"
                 *               }
                 *             },
                 *             "metadata": {
                 *               "name": "USD Coin",
                 *               "imageUrl": "data:image/svg+xml;base64,PHN2Zy8+",
                 *               "description": "Purchase of USD Coin"
                 *             },
                 *             "quantity": 1,
                 *             "tokenLocator": "base-sepolia:usdc",
                 *             "executionMode": "exact-in",
                 *             "maxSlippageBps": "100",
                 *             "executionParams": {
                 *               "mode": "exact-in",
                 *               "amount": "20",
                 *               "effectiveAmount": "18.92"
                 *             }
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Id of the order. */
                    actionId: string;
                    data: components["schemas"]["Order"];
                    /** @constant */
                    type: "orders.payment.failed";
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is sent again later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "orders.payment.refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "actionId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                 *       "type": "orders.payment.refunded",
                 *       "data": {
                 *         "legal": {
                 *           "requirements": []
                 *         },
                 *         "phase": "completed",
                 *         "quote": {
                 *           "status": "valid",
                 *           "quotedAt": "2026-01-15T12:00:00.000Z",
                 *           "expiresAt": "2026-01-15T12:10:00.000Z",
                 *           "totalPrice": {
                 *             "amount": "50",
                 *             "currency": "usdxm"
                 *           }
                 *         },
                 *         "locale": "en-US",
                 *         "orderId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                 *         "payment": {
                 *           "method": "base-sepolia",
                 *           "status": "refunded",
                 *           "currency": "usdxm",
                 *           "received": {
                 *             "txId": "0xd8148de01a5d37bf3f797d09bdf9ce6863e0609fb65cf602ad987d31e63101ba",
                 *             "chain": "base-sepolia",
                 *             "amount": "50",
                 *             "currency": "usdxm"
                 *           },
                 *           "refunded": {
                 *             "txId": "0xb1186d964dcccad59aa316bb36b498ee8a6a139f4703283d5c47a0e4530f8fab",
                 *             "chain": "base-sepolia",
                 *             "amount": "50",
                 *             "currency": "usdxm"
                 *           },
                 *           "totalPaid": {
                 *             "amount": "50",
                 *             "currency": "usdxm"
                 *           },
                 *           "failureReason": {
                 *             "code": "unknown",
                 *             "message": "The tokens could not be delivered; the payment goes back.",
                 *             "retryPolicy": "new-order"
                 *           }
                 *         },
                 *         "lineItems": [
                 *           {
                 *             "chain": "base-sepolia",
                 *             "quote": {
                 *               "status": "valid",
                 *               "charges": {
                 *                 "fees": [
                 *                   {
                 *                     "type": "service",
                 *                     "amount": "0.5",
                 *                     "currency": "usd"
                 *                   }
                 *                 ],
                 *                 "unit": {
                 *                   "amount": "49.5",
                 *                   "currency": "usd"
                 *                 },
                 *                 "salesTax": {
                 *                   "amount": "0",
                 *                   "currency": "usd"
                 *                 },
                 *                 "shipping": {
                 *                   "amount": "0",
                 *                   "currency": "usd"
                 *                 }
                 *               },
                 *               "totalPrice": {
                 *                 "amount": "50",
                 *                 "currency": "usd"
                 *               },
                 *               "quantityRange": {
                 *                 "lowerBound": "0.019602",
                 *                 "upperBound": "0.0198"
                 *               }
                 *             },
                 *             "delivery": {
                 *               "status": "failed",
                 *               "recipient": {
                 *                 "locator": "base-sepolia:0x6c30B8f6E9d856EBCeD809323e8dd5F59299705B",
                 *                 "walletAddress": "0x6c30B8f6E9d856EBCeD809323e8dd5F59299705B"
                 *               }
                 *             },
                 *             "metadata": {
                 *               "name": "ETH",
                 *               "imageUrl": "data:image/svg+xml;base64,PHN2Zy8+",
                 *               "description": "Purchase of ETH"
                 *             },
                 *             "quantity": 1,
                 *             "tokenLocator": "base-sepolia:eth",
                 *             "executionMode": "exact-in",
                 *             "maxSlippageBps": "100",
                 *             "executionParams": {
                 *               "mode": "exact-in",
                 *               "amount": "50",
                 *               "effectiveAmount": "0.0198"
                 *             }
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Id of the order. */
                    actionId: string;
                    data: components["schemas"]["Order"];
                    /** @constant */
                    type: "orders.payment.refunded";
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is sent again later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "orders.payment.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "actionId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                 *       "type": "orders.payment.succeeded",
                 *       "data": {
                 *         "legal": {
                 *           "requirements": []
                 *         },
                 *         "phase": "delivery",
                 *         "quote": {
                 *           "status": "valid",
                 *           "quotedAt": "2026-01-15T12:00:00.000Z",
                 *           "expiresAt": "2026-01-15T12:10:00.000Z",
                 *           "totalPrice": {
                 *             "amount": "20",
                 *             "currency": "usdxm"
                 *           }
                 *         },
                 *         "locale": "en-US",
                 *         "orderId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                 *         "payment": {
                 *           "method": "base-sepolia",
                 *           "status": "completed",
                 *           "currency": "usdxm",
                 *           "received": {
                 *             "txId": "0xd8148de01a5d37bf3f797d09bdf9ce6863e0609fb65cf602ad987d31e63101ba",
                 *             "chain": "base-sepolia",
                 *             "amount": "20",
                 *             "currency": "usdxm"
                 *           },
                 *           "totalPaid": {
                 *             "amount": "20",
                 *             "currency": "usdxm"
                 *           }
                 *         },
                 *         "lineItems": [
                 *           {
                 *             "chain": "base-sepolia",
                 *             "quote": {
                 *               "status": "valid",
                 *               "charges": {
                 *                 "fees": [
                 *                   {
                 *                     "type": "service",
                 *                     "amount": "0.2",
                 *                     "currency": "usd"
                 *                   }
                 *                 ],
                 *                 "unit": {
                 *                   "amount": "19.8",
                 *                   "currency": "usd"
                 *                 },
                 *                 "salesTax": {
                 *                   "amount": "0",
                 *                   "currency": "usd"
                 *                 },
                 *                 "shipping": {
                 *                   "amount": "0",
                 *                   "currency": "usd"
                 *                 }
                 *               },
                 *               "totalPrice": {
                 *                 "amount": "20",
                 *                 "currency": "usd"
                 *               },
                 *               "quantityRange": {
                 *                 "lowerBound": "19.602",
                 *                 "upperBound": "19.8"
                 *               }
                 *             },
                 *             "delivery": {
                 *               "status": "in-progress",
                 *               "recipient": {
                 *                 "locator": "base-sepolia:0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f",
                 *                 "walletAddress": "0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f",
                 *                 "physicalAddress": {
                 *                   "city": "Reno",
                 *                   "name": "Ada",
                 *                   "line1": "1 Main St",
                 *                   "country": "US",
                 *                   "postalCode": "89501",
                 *                   "stateOrRegion": "NV"
                 *                 }
                 *               }
                 *             },
                 *             "metadata": {
                 *               "name": "USD Coin",
                 *               "imageUrl": "data:image/svg+xml;base64,PHN2Zy8+",
                 *               "description": "Purchase of USD Coin"
                 *             },
                 *             "quantity": 1,
                 *             "tokenLocator": "base-sepolia:usdc",
                 *             "executionMode": "exact-in",
                 *             "maxSlippageBps": "100",
                 *             "executionParams": {
                 *               "mode": "exact-in",
                 *               "amount": "20",
                 *               "effectiveAmount": "19.8"
                 *             }
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Id of the order. */
                    actionId: string;
                    data: components["schemas"]["Order"];
                    /** @constant */
                    type: "orders.payment.succeeded";
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is sent again later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "orders.quote.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "actionId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                 *       "type": "orders.quote.created",
                 *       "data": {
                 *         "legal": {
                 *           "requirements": []
                 *         },
                 *         "phase": "quote",
                 *         "quote": {
                 *           "status": "valid",
                 *           "quotedAt": "2026-01-15T12:00:00.000Z",
                 *           "expiresAt": "2026-01-15T12:10:00.000Z",
                 *           "totalPrice": {
                 *             "amount": "30",
                 *             "currency": "usdxm"
                 *           }
                 *         },
                 *         "locale": "en-US",
                 *         "orderId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                 *         "payment": {
                 *           "method": "base-sepolia",
                 *           "status": "requires-quote",
                 *           "currency": "usdxm"
                 *         },
                 *         "lineItems": [
                 *           {
                 *             "chain": "base-sepolia",
                 *             "quote": {
                 *               "status": "valid",
                 *               "charges": {
                 *                 "fees": [
                 *                   {
                 *                     "type": "service",
                 *                     "amount": "0.2",
                 *                     "currency": "usd"
                 *                   }
                 *                 ],
                 *                 "unit": {
                 *                   "amount": "19.8",
                 *                   "currency": "usd"
                 *                 },
                 *                 "salesTax": {
                 *                   "amount": "0",
                 *                   "currency": "usd"
                 *                 },
                 *                 "shipping": {
                 *                   "amount": "0",
                 *                   "currency": "usd"
                 *                 }
                 *               },
                 *               "totalPrice": {
                 *                 "amount": "20",
                 *                 "currency": "usd"
                 *               },
                 *               "quantityRange": {
                 *                 "lowerBound": "19.602",
                 *                 "upperBound": "19.8"
                 *               }
                 *             },
                 *             "delivery": {
                 *               "status": "awaiting-payment",
                 *               "recipient": {
                 *                 "locator": "base-sepolia:0xD8148DE01a5D37bf3f797d09bdf9cE6863e0609f",
                 *                 "walletAddress": "0xD8148DE01a5D37bf3f797d09bdf9cE6863e0609f"
                 *               }
                 *             },
                 *             "metadata": {
                 *               "name": "USD Coin",
                 *               "imageUrl": "data:image/svg+xml;base64,PHN2Zy8+",
                 *               "description": "Purchase of USD Coin"
                 *             },
                 *             "quantity": 1,
                 *             "tokenLocator": "base-sepolia:usdc",
                 *             "executionMode": "exact-in",
                 *             "maxSlippageBps": "100",
                 *             "executionParams": {
                 *               "mode": "exact-in",
                 *               "amount": "20",
                 *               "effectiveAmount": "19.8"
                 *             }
                 *           },
                 *           {
                 *             "chain": "base-sepolia",
                 *             "quote": {
                 *               "status": "valid",
                 *               "charges": {
                 *                 "fees": [
                 *                   {
                 *                     "type": "service",
                 *                     "amount": "0.1",
                 *                     "currency": "usd"
                 *                   }
                 *                 ],
                 *                 "unit": {
                 *                   "amount": "9.9",
                 *                   "currency": "usd"
                 *                 },
                 *                 "salesTax": {
                 *                   "amount": "0",
                 *                   "currency": "usd"
                 *                 },
                 *                 "shipping": {
                 *                   "amount": "0",
                 *                   "currency": "usd"
                 *                 }
                 *               },
                 *               "totalPrice": {
                 *                 "amount": "10",
                 *                 "currency": "usd"
                 *               },
                 *               "quantityRange": {
                 *                 "lowerBound": "0.0039204",
                 *                 "upperBound": "0.00396"
                 *               }
                 *             },
                 *             "delivery": {
                 *               "status": "awaiting-payment",
                 *               "recipient": {
                 *                 "locator": "base-sepolia:0xD8148DE01a5D37bf3f797d09bdf9cE6863e0609f",
                 *                 "walletAddress": "0xD8148DE01a5D37bf3f797d09bdf9cE6863e0609f"
                 *               }
                 *             },
                 *             "metadata": {
                 *               "name": "ETH",
                 *               "imageUrl": "data:image/svg+xml;base64,PHN2Zy8+",
                 *               "description": "Purchase of ETH"
                 *             },
                 *             "quantity": 1,
                 *             "tokenLocator": "base-sepolia:eth",
                 *             "executionMode": "exact-in",
                 *             "maxSlippageBps": "100",
                 *             "executionParams": {
                 *               "mode": "exact-in",
                 *               "amount": "10",
                 *               "effectiveAmount": "0.00396"
                 *             }
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Id of the order. */
                    actionId: string;
                    data: components["schemas"]["Order"];
                    /** @constant */
                    type: "orders.quote.created";
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is sent again later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "orders.quote.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "actionId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                 *       "type": "orders.quote.updated",
                 *       "data": {
                 *         "legal": {
                 *           "requirements": []
                 *         },
                 *         "phase": "payment",
                 *         "quote": {
                 *           "status": "valid",
                 *           "quotedAt": "2026-01-15T12:00:00.000Z",
                 *           "expiresAt": "2026-01-15T12:10:00.000Z",
                 *           "totalPrice": {
                 *             "amount": "100",
                 *             "currency": "usdxm"
                 *           }
                 *         },
                 *         "locale": "en-US",
                 *         "orderId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                 *         "payment": {
                 *           "method": "base-sepolia",
                 *           "status": "awaiting-payment",
                 *           "currency": "usdxm",
                 *           "preparation": {
                 *             "chain": "base-sepolia",
                 *             "payerAddress": "0xD8148DE01a5D37bf3f797d09bdf9cE6863e0609f",
                 *             "recipientAddress": "0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f",
                 *             "serializedTransaction": "0x6c30b8f6e9d856ebced809323e8dd5f59299705b11d2adfe6512da20919ff58ec774b8d2a182e346c06862e4cf9cc6585a7ac2a0de5f5748c82b2ec3637102bc6c",
                 *             "transactionParameters": {
                 *               "memo": "0xc4a4803eef0f7faabe7bec99b56662f723b8dedcfc6863ecde45802edb9d45ec",
                 *               "amount": "100000000"
                 *             }
                 *           },
                 *           "receiptEmail": "payer@example.com"
                 *         },
                 *         "lineItems": [
                 *           {
                 *             "chain": "base-sepolia",
                 *             "quote": {
                 *               "status": "valid",
                 *               "charges": {
                 *                 "fees": [
                 *                   {
                 *                     "type": "service",
                 *                     "amount": "1",
                 *                     "currency": "usd"
                 *                   },
                 *                   {
                 *                     "type": "rail",
                 *                     "amount": "0.25",
                 *                     "currency": "usd"
                 *                   }
                 *                 ],
                 *                 "unit": {
                 *                   "amount": "98.75",
                 *                   "currency": "usd"
                 *                 },
                 *                 "salesTax": {
                 *                   "amount": "0",
                 *                   "currency": "usd"
                 *                 },
                 *                 "shipping": {
                 *                   "amount": "0",
                 *                   "currency": "usd"
                 *                 }
                 *               },
                 *               "totalPrice": {
                 *                 "amount": "100",
                 *                 "currency": "usd"
                 *               },
                 *               "quantityRange": {
                 *                 "lowerBound": "97.76",
                 *                 "upperBound": "98.75"
                 *               }
                 *             },
                 *             "delivery": {
                 *               "status": "awaiting-payment",
                 *               "recipient": {
                 *                 "locator": "userId:grace",
                 *                 "paymentMethodId": "fff83946-1e48-4581-8eff-e585c843ccf6"
                 *               }
                 *             },
                 *             "metadata": {
                 *               "name": "USD",
                 *               "imageUrl": "data:image/svg+xml;base64,PHN2Zy8+",
                 *               "description": "Payout of USDXM in USD"
                 *             },
                 *             "quantity": 1,
                 *             "executionMode": "exact-in",
                 *             "maxSlippageBps": "100",
                 *             "currencyLocator": "fiat:usd",
                 *             "executionParams": {
                 *               "mode": "exact-in",
                 *               "amount": "100",
                 *               "effectiveAmount": "98.75",
                 *               "outFiatCurrency": "usd"
                 *             }
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Id of the order. */
                    actionId: string;
                    data: components["schemas"]["Order"];
                    /** @constant */
                    type: "orders.quote.updated";
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is sent again later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "users.identity-verification.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                 *       "type": "users.identity-verification.updated",
                 *       "data": {
                 *         "eligibility": [
                 *           {
                 *             "type": "onramp",
                 *             "status": "requires-data",
                 *             "missingData": [
                 *               "user-details",
                 *               "kyc-data"
                 *             ],
                 *             "missingDocuments": [
                 *               "id"
                 *             ]
                 *           },
                 *           {
                 *             "type": "onramp-light",
                 *             "status": "requires-data",
                 *             "missingData": [
                 *               "user-details"
                 *             ],
                 *             "missingDocuments": []
                 *           }
                 *         ],
                 *         "userLocator": "userId:person5"
                 *       }
                 *     }
                 */
                "application/json": {
                    data: {
                        eligibility: ({
                            missingData?: ("user-details" | "kyc-data")[];
                            missingDocuments?: ("id" | "proof-of-address")[];
                            /** @enum {string} */
                            status: "not-started" | "pending-privacy-policy" | "requires-data" | "pending-review" | "verified" | "rejected";
                            /** @enum {string} */
                            type: "onramp" | "onramp-light" | "offramp" | "offramp-light" | "regulated-transfer";
                        } & {
                            [key: string]: unknown;
                        })[];
                        userLocator: string;
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description Id of the event, as in `webhook-id`. */
                    id: string;
                    /** @constant */
                    type: "users.identity-verification.updated";
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is sent again later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "wallets.signer.exported": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The signer that has left the service. */
                    data: {
                        [key: string]: unknown;
                    };
                    /** @description Id of the event, as in `webhook-id`. */
                    id: string;
                    /** @constant */
                    type: "wallets.signer.exported";
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is sent again later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "wallets.transfer.in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                 *       "type": "wallets.transfer.in",
                 *       "data": {
                 *         "token": {
                 *           "type": "fungible",
                 *           "chain": "base-sepolia",
                 *           "amount": "1",
                 *           "symbol": "usdxm",
                 *           "locator": "base-sepolia:0xD8148DE01a5D37bf3f797d09bdf9cE6863e0609f",
                 *           "decimals": 6,
                 *           "rawAmount": "1000000",
                 *           "contractAddress": "0xD8148DE01a5D37bf3f797d09bdf9cE6863e0609f"
                 *         },
                 *         "sender": {
                 *           "chain": "base-sepolia",
                 *           "address": "0x0000000000000000000000000000000000000000",
                 *           "locator": "base-sepolia:0x0000000000000000000000000000000000000000"
                 *         },
                 *         "status": "succeeded",
                 *         "onChain": {
                 *           "txId": "0x9f91463de41dbcb81d97ac1a879ee05b1c27b17c87942b7fd0104f871520ab72",
                 *           "explorerLink": "https://sepolia.basescan.org/tx/0x9f91463de41dbcb81d97ac1a879ee05b1c27b17c87942b7fd0104f871520ab72"
                 *         },
                 *         "recipient": {
                 *           "chain": "base-sepolia",
                 *           "owner": "email:user6@example.com",
                 *           "address": "0x89A7f8fBF8ccedFff3d2d50E2210a02606A3117E",
                 *           "locator": "base-sepolia:0x89A7f8fBF8ccedFff3d2d50E2210a02606A3117E"
                 *         },
                 *         "transferId": "c4a4803e-ef0f-4faa-8e7b-ec99b56662f7",
                 *         "completedAt": "2026-01-15T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    data: components["schemas"]["TransferNotice"];
                    /** @description Id of the event, as in `webhook-id`. */
                    id: string;
                    /** @constant */
                    type: "wallets.transfer.in";
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is sent again later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "wallets.transfer.out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                 *       "type": "wallets.transfer.out",
                 *       "data": {
                 *         "token": {
                 *           "type": "fungible",
                 *           "chain": "base-sepolia",
                 *           "amount": "1",
                 *           "symbol": "usdxm",
                 *           "locator": "base-sepolia:0xD8148DE01a5D37bf3f797d09bdf9cE6863e0609f",
                 *           "decimals": 6,
                 *           "rawAmount": "1000000",
                 *           "contractAddress": "0xD8148DE01a5D37bf3f797d09bdf9cE6863e0609f"
                 *         },
                 *         "sender": {
                 *           "chain": "base-sepolia",
                 *           "address": "0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f",
                 *           "locator": "base-sepolia:0xB1186D964dCCCAd59aa316bB36B498ee8A6A139f"
                 *         },
                 *         "status": "succeeded",
                 *         "onChain": {
                 *           "txId": "0x6c30b8f6e9d856ebced809323e8dd5f59299705b11d2adfe6512da20919ff58e",
                 *           "explorerLink": "https://sepolia.basescan.org/tx/0x6c30b8f6e9d856ebced809323e8dd5f59299705b11d2adfe6512da20919ff58e"
                 *         },
                 *         "recipient": {
                 *           "chain": "base-sepolia",
                 *           "address": "0xC4A4803eef0f7FAAbe7BEC99B56662f723B8DEdC",
                 *           "locator": "base-sepolia:0xC4A4803eef0f7FAAbe7BEC99B56662f723B8DEdC"
                 *         },
                 *         "transferId": "fff83946-1e48-4581-8eff-e585c843ccf6",
                 *         "completedAt": "2026-01-15T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    data: components["schemas"]["TransferNotice"];
                    /** @description Id of the event, as in `webhook-id`. */
                    id: string;
                    /** @constant */
                    type: "wallets.transfer.out";
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is sent again later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
