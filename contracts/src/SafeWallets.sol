// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ISafe, ISafeProxyFactory} from "./ISafe.sol";

/// @title The canonical Safe 1.4.1 deployment, and wallets as its proxies.
library SafeWallets {
    address internal constant SINGLETON = 0x41675C099F32341bf84BFc5382aF534df5C7461a;
    address internal constant PROXY_FACTORY = 0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67;

    error WalletAddressMismatch(address expected, address deployed);

    /// @notice Deploys `wallet`. `deployment` is abi.encode(bytes initializer, uint256 saltNonce).
    function deploy(address wallet, bytes calldata deployment) internal {
        (bytes memory initializer, uint256 saltNonce) = abi.decode(deployment, (bytes, uint256));
        address deployed = ISafeProxyFactory(PROXY_FACTORY).createProxyWithNonce(SINGLETON, initializer, saltNonce);
        if (deployed != wallet) revert WalletAddressMismatch(wallet, deployed);
    }

    /// @notice Whether `wallet` runs the Safe 1.4.1 code.
    function isSafe(address wallet) internal view returns (bool known) {
        bytes4 selector = ISafe.masterCopy.selector;
        assembly ("memory-safe") {
            mstore(0, selector)
            known := staticcall(gas(), wallet, 0, 4, 0, 0x20)
            known := and(known, and(eq(returndatasize(), 0x20), eq(mload(0), SINGLETON)))
        }
    }
}
