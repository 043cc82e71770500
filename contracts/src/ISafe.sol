// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title What our contracts ask of a Safe 1.4.1, written from its published ABI.
interface ISafe {
    /// Reverts unless `signatures` are of at least `threshold` owners, ordered by owner address.
    /// `preimage` must hash to `digest`; the Safe hands it to owners that are contracts.
    function checkSignatures(bytes32 digest, bytes calldata preimage, bytes calldata signatures) external view;

    /// Only for enabled modules. `operation` 0 is CALL, 1 is DELEGATECALL.
    function execTransactionFromModuleReturnData(address to, uint256 value, bytes calldata data, uint8 operation)
        external
        returns (bool success, bytes memory returnData);

    function enableModule(address module) external;

    function isModuleEnabled(address module) external view returns (bool);

    function domainSeparator() external view returns (bytes32);

    /// Answered by the proxy itself, so a singleton cannot lie about it.
    function masterCopy() external view returns (address singleton);
}

/// @title What our contracts ask of the SafeProxyFactory 1.4.1.
interface ISafeProxyFactory {
    function createProxyWithNonce(address singleton, bytes calldata initializer, uint256 saltNonce)
        external
        returns (address proxy);
}
