// Generated from docs/api/openapi.json by `npm run docs`: do not edit.
export interface paths {
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
         * @description Without `chains` the answer depends on this wallet alone: it covers the chains on which the wallet has transactions or transfers. `nativeToken` is the native coin of the first chain read, summed over the chains that share it. Native coins of other chains are among `tokens` only when `tokens` names them (`pol`).
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
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ActivityPage: {
            data: components["schemas"]["TransferEvent"][];
            nextCursor?: string;
            previousCursor?: string;
        };
        AddSignerBody: {
            /** @description Locator of the recovery method; only where the wallet has several. */
            approver?: string;
            /** @description Required for evm wallets, ignored for others. */
            chain?: string;
            /** @description False: a signature request registers the signer. True: a transaction does. Both are sent to the chain once approved. */
            deployImmediately?: boolean;
            /** Format: date-time */
            expiresAt?: string;
            scopes?: components["schemas"]["SignerScope"][];
            /** @description A locator, or an object; objects for passkey and quorum. A device is named `device:<base64>` of its public key: 65 bytes, 04 and the coordinates x and y (SEC 1, uncompressed); other usual forms of the key are understood too. */
            signer: string | components["schemas"]["SignerInput"];
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
                /** @description Absent for the native coin of a chain. */
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
        } & {
            [key: string]: unknown;
        };
        BalancesList: ({
            /** @description In whole tokens, all chains together. */
            amount: string;
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
                    /** Format: email */
                    email: string;
                    locator?: string;
                    /** @constant */
                    type: "email";
                } | {
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
                        [key: string]: unknown;
                    }[];
                    signer: string | ({
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
                        /** Format: email */
                        email: string;
                        locator?: string;
                        /** @constant */
                        type: "email";
                    } | {
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
                        members: {
                            [key: string]: unknown;
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
                    /** Format: email */
                    email: string;
                    locator?: string;
                    /** @constant */
                    type: "email";
                } | {
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
             * @description `smart` by default; on aptos and sui `mpc`.
             * @enum {string}
             */
            type?: "smart" | "mpc";
        };
        CreateSignatureBody: {
            /** @description message: `message`, `chain`, `signer?`. typed-data: `typedData`, `chain`, `signer?`, `isSmartWalletSignature?`. */
            params: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            type: "message" | "typed-data" | "auth-entries";
        };
        CreateTransactionBody: {
            /** @description EVM smart wallet: `calls`, `chain`, `signer?`. */
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
            signer?: string;
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
                    /** Format: email */
                    email: string;
                    locator?: string;
                    /** @constant */
                    type: "email";
                } | {
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
                        [key: string]: unknown;
                    }[];
                    signer: string | ({
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
                        /** Format: email */
                        email: string;
                        locator?: string;
                        /** @constant */
                        type: "email";
                    } | {
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
                        members: {
                            [key: string]: unknown;
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
                    /** Format: email */
                    email: string;
                    locator?: string;
                    /** @constant */
                    type: "email";
                } | {
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
             * @description `smart` by default; on aptos and sui `mpc`.
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
            type: string;
        } & {
            [key: string]: unknown;
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
        FundWalletBody: {
            /** @description Whole tokens, 1 to 100. */
            amount: number;
            /** @description One of: arbitrum-sepolia, avalanche-fuji, base-sepolia, ethereum-sepolia, optimism-sepolia, polygon-amoy, sei-atlantic-2-testnet, skale-nebula-testnet, soneium-minato-testnet, viction-testnet, solana, stellar; or a main name, which stands for its test network (`base`). */
            chain: string;
            /**
             * @description The test stablecoin.
             * @constant
             */
            token: "usdxm";
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
            /** @description The signature of `verificationChallenge`: `personal_sign` of a key or ERC-1271 signature of a smart wallet (0x…) on EVM chains, base64 of an Ed25519 signature on Solana and Stellar. */
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
        RequestSignerCodeBody: {
            /** @description P-256 public key of the device that will hold the code, as decimal strings. */
            devicePublicKey: {
                x: string;
                y: string;
            };
            /** @description `message` of the pending approval of this signer. */
            message: string;
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
        /** @description A signer: the key, person or service that approves what a wallet does. */
        SignerInput: {
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
            /** Format: email */
            email: string;
            locator?: string;
            /** @constant */
            type: "email";
        } | {
            locator?: string;
            phone: string;
            /** @constant */
            type: "phone";
        } | {
            /** @description Kept when it names this key, in base64 of one of its usual forms; else `device:` and the 65 bytes 04, x, y in base64. */
            locator?: string;
            name?: string;
            publicKey: {
                x: string;
                y: string;
            };
            /** @constant */
            type: "device";
        } | {
            /** @description SignerInput objects of any type but device and quorum. */
            members: {
                [key: string]: unknown;
            }[];
            /** @description How many members have to approve. */
            threshold: number;
            /** @constant */
            type: "quorum";
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
                signer: string;
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
                explorerLink?: string;
                txId?: string;
                /** @description EVM, while somebody is asked to approve: EIP-712 typed data whose hash is the `message` of the approvals. */
                typedData?: {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            params: {
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
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
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
                userLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                userLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                documentId: string;
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
                userLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                address: string;
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
                address: string;
                userLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
                /** @description Comma-separated chain names. When absent: the chains on which this wallet has transactions or transfers, in the order of first use, at most 10; before the first one, `base` in production and `base-sepolia` elsewhere, or the first configured network. Chains that `tokens` names are read too; if every token names its chain, only those. */
                chains?: string;
                /** @description Comma-separated symbols (`eth,usdc`) or token locators (`base-sepolia:0x…`). */
                tokens: string;
            };
            header?: never;
            path: {
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
                /** @description `<chain>:<walletAddress>` */
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
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                signatureId: string;
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
    submitSignatureApprovals: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                signatureId: string;
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                /** @description Signer locator, percent-encoded as a whole. */
                signer: string;
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
                /** @description Required for evm wallets. */
                chain?: string;
            };
            header?: never;
            path: {
                /** @description Signer locator, percent-encoded as a whole. */
                signer: string;
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
                /** @description Locator of the signer: `email:<email>` or `phone:<E.164 number>`. */
                signer: string;
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                /** @description Locator of the signer: `email:<email>` or `phone:<E.164 number>`. */
                signer: string;
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                tokenLocator: string;
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                tokenLocator: string;
                transactionId: string;
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
                page?: string;
                /** @description Default 10, at most 100. */
                perPage?: string;
            };
            header?: never;
            path: {
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
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                transactionId: string;
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
    submitTransactionApprovals: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                transactionId: string;
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
    listPaymentMethods: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description 1 to 100; 20 when absent. */
                limit?: string;
                type?: "bank-account-us" | "bank-account-mx-clabe" | "bank-account-co" | "bank-account-sepa-iban" | "card";
                /** @description Required with a server-side key. */
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
                paymentMethodId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                /** @description Chain name of the wallet's family, e.g. `base-sepolia`. */
                chain: string;
                /** @description `nextCursor` or `previousCursor` of an answer to the same query. */
                cursor?: string;
                /** @description Events completed at or after this instant. */
                fromDate?: string;
                /** @description Events per page, 1 to 100; default 20. */
                limit?: string;
                /** @description By time; `desc`, newest first, when absent. */
                sort?: "asc" | "desc";
                status: "successful" | "failed";
                /** @description Events completed at or before this instant. */
                toDate?: string;
                /** @description Comma-separated symbols or token locators; every token when absent. */
                tokens?: string;
            };
            header?: never;
            path: {
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
    fundWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the call with the same key and body gives the first answer again. */
                "x-idempotency-key"?: string;
            };
            path: {
                /** @description Address of the wallet, or `<kind>:<value>:<walletType>`, e.g. `email:ann@example.com:smart`. */
                walletLocator: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
}
