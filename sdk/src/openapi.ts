// Generated from docs/api/openapi.json by `npm run docs`: do not edit.
export interface paths {
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
        Approvals: {
            pending: ({
                message: string;
                signer: components["schemas"]["Signer"];
            } & {
                [key: string]: unknown;
            })[];
            required?: number;
            submitted: ({
                message: string;
                signature: unknown;
                signer: components["schemas"]["Signer"];
                submittedAt: number;
            } & {
                [key: string]: unknown;
            })[];
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
            /** @description Required for smart wallets (SmartWalletConfig), ignored for mpc wallets. */
            config?: unknown;
            owner?: unknown;
            /**
             * @description `smart` by default; on aptos and sui `mpc`.
             * @enum {string}
             */
            type?: "smart" | "mpc";
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
            /** @enum {string} */
            transactionType?: "direct" | "regulated-transfer" | "onramp";
        };
        CreateWalletBody: {
            alias?: string;
            /** @enum {string} */
            chainType: "aptos" | "evm" | "solana" | "stellar" | "sui";
            /** @description Required for smart wallets (SmartWalletConfig), ignored for mpc wallets. */
            config?: unknown;
            /** @description `<kind>:<value>` or `COMPANY`. */
            owner?: string;
            /**
             * @description `smart` by default; on aptos and sui `mpc`.
             * @enum {string}
             */
            type?: "smart" | "mpc";
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
        Signer: {
            address?: string;
            locator: string;
            type: string;
        } & {
            [key: string]: unknown;
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
                metadata?: {
                    [key: string]: unknown;
                };
                signature: string | {
                    r: string;
                    s: string;
                };
                /** @description Locator of the approving signer. */
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
                mode: string;
            } & {
                [key: string]: unknown;
            };
            /** Format: uuid */
            id: string;
            onChain: {
                explorerLink?: string;
                txId?: string;
            } & {
                [key: string]: unknown;
            };
            params: {
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
             *     `insufficient-balance`: The balance is not sufficient.
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
