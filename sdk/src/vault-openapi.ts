// Generated from docs/api/vault-openapi.json by `npm run docs`: do not edit.
export interface paths {
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
        /**
         * Save a bank account or card
         * @description On the vault host only. The same account of the same user gives the same method again with 200, as it is; a card with a new expiry date is renewed.
         *
         *     A server-side or a client-side key. A client-side key comes with the JWT of the end user. A server-side key needs the scope `payment-methods`.
         */
        post: operations["createPaymentMethod"];
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        CreateCard: {
            card: {
                billing: components["schemas"]["PaymentMethodBilling"];
                /** @description Checked for its form, never stored. */
                cvc: string;
                expirationMonth: number;
                expirationYear: number;
                /** @description 12 to 19 digits. Never returned. */
                number: string;
            };
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "card";
            /** @description The user: required with a server-side key; with a client-side key that of the JWT. */
            userLocator?: string;
        };
        CreateClabeBankAccount: {
            bankAccount: {
                bankAddress?: components["schemas"]["PostalAddress"];
                bankName?: string;
                billing: components["schemas"]["PaymentMethodBilling"];
                /** @description CLABE, 18 digits. Never returned. */
                clabe: string;
                /** @description ISO 3166-1, two letters. */
                country?: string;
                /** @description ISO 4217; lower case in answers. */
                currency?: string;
                /** @enum {string} */
                entityType: "individual" | "business";
            };
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "bank-account-mx-clabe";
            /** @description The user: required with a server-side key; with a client-side key that of the JWT. */
            userLocator?: string;
        };
        CreateColombianBankAccount: {
            bankAccount: {
                /** @description 5 to 20 digits. Never returned. */
                accountNumber: string;
                /** @enum {string} */
                accountType: "checking" | "savings";
                bankAddress?: components["schemas"]["PostalAddress"];
                /** @description Code of the bank, 3 or 4 digits. */
                bankCode: string;
                bankName?: string;
                billing: components["schemas"]["PaymentMethodBilling"];
                /** @description ISO 3166-1, two letters. */
                country?: string;
                /** @description ISO 4217; lower case in answers. */
                currency?: string;
                /** @enum {string} */
                entityType: "individual" | "business";
                /** @description Document of the holder; a tax number with its check digit behind a hyphen. Never returned. */
                nationalDocument: string;
            };
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "bank-account-co";
            /** @description The user: required with a server-side key; with a client-side key that of the JWT. */
            userLocator?: string;
        };
        CreatePaymentMethodBody: components["schemas"]["CreateUsBankAccount"] | components["schemas"]["CreateClabeBankAccount"] | components["schemas"]["CreateColombianBankAccount"] | components["schemas"]["CreateSepaBankAccount"] | components["schemas"]["CreateCard"];
        CreateSepaBankAccount: {
            bankAccount: {
                bankAddress?: components["schemas"]["PostalAddress"];
                bankName?: string;
                /** @description BIC of the bank. */
                bic?: string;
                billing: components["schemas"]["PaymentMethodBilling"];
                /** @description ISO 3166-1, two letters. */
                country?: string;
                /** @description ISO 4217; lower case in answers. */
                currency?: string;
                /** @enum {string} */
                entityType: "individual" | "business";
                /** @description IBAN of a SEPA country. Never returned. */
                iban: string;
            };
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "bank-account-sepa-iban";
            /** @description The user: required with a server-side key; with a client-side key that of the JWT. */
            userLocator?: string;
        };
        CreateUsBankAccount: {
            bankAccount: {
                /** @description 4 to 17 digits. Never returned. */
                accountNumber: string;
                /** @enum {string} */
                accountType: "checking" | "savings";
                bankAddress?: components["schemas"]["PostalAddress"];
                bankName: string;
                billing: components["schemas"]["PaymentMethodBilling"];
                /** @description ISO 3166-1, two letters. */
                country: string;
                /** @description ISO 4217; lower case in answers. */
                currency: string;
                /** @enum {string} */
                entityType: "individual" | "business";
                /** @description ABA routing number, 9 digits. */
                routingNumber: string;
            };
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "bank-account-us";
            /** @description The user: required with a server-side key; with a client-side key that of the JWT. */
            userLocator?: string;
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
        /** @description Who holds the account or card, and where they live. */
        PaymentMethodBilling: {
            address: components["schemas"]["PostalAddress"];
            name: string;
            /** @description E.164, e.g. +14155550123. */
            phone?: string;
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
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
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
    createPaymentMethod: {
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
                 *       "type": "bank-account-mx-clabe",
                 *       "userLocator": "userId:user-2",
                 *       "bankAccount": {
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
                 *         "clabe": "032180000118359719",
                 *         "bankName": "Banco Ejemplo"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreatePaymentMethodBody"];
            };
        };
        responses: {
            /** @description The user had this account already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "paymentMethodId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "type": "bank-account-mx-clabe",
                     *       "default": true,
                     *       "displayName": "Banco Ejemplo ••9719",
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "updatedAt": "2026-01-15T12:00:00.000Z",
                     *       "bankAccount": {
                     *         "accountSuffix": "9719",
                     *         "bankName": "Banco Ejemplo",
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
                     *         "currency": "mxn",
                     *         "country": "MX",
                     *         "bankCode": "032",
                     *         "rails": {
                     *           "supported": [
                     *             "spei"
                     *           ],
                     *           "status": "active"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentMethod"];
                };
            };
            /** @description Saved. The number is never returned. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "paymentMethodId": "82dbc468-1e28-4b74-8ca5-08bb9dc2cb8a",
                     *       "type": "bank-account-mx-clabe",
                     *       "default": true,
                     *       "displayName": "Banco Ejemplo ••9719",
                     *       "createdAt": "2026-01-15T12:00:00.000Z",
                     *       "updatedAt": "2026-01-15T12:00:00.000Z",
                     *       "bankAccount": {
                     *         "accountSuffix": "9719",
                     *         "bankName": "Banco Ejemplo",
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
                     *         "currency": "mxn",
                     *         "country": "MX",
                     *         "bankCode": "032",
                     *         "rails": {
                     *           "supported": [
                     *             "spei"
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
             * @description `invalid-locator`: The locator cannot be read.
             *
             *     `payment-method-not-supported`: The payment method is not supported.
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
}
