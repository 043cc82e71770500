// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {TokenReceiver} from "./TokenReceiver.sol";

/// @title The code that the account of an mpc wallet delegates to (EIP-7702), so that others pay for what its key signs.
/// @notice Not externally audited.
/// @dev It runs as the account and has the part of a Safe that the module asks for; the account's own key is the only owner.
///      No storage: whatever the account delegated to before or after is not touched. Whoever holds the key can send
///      transactions of the account as before.
contract DelegatedAccount is IERC1271, IERC165, TokenReceiver {
    /// Who deployed this contract: the module makes it in its own constructor.
    address public immutable MODULE = msg.sender;

    error OnlyModule();
    /// Delegate calls would run foreign code as the account.
    error OnlyCalls();
    error WrongSignature();

    receive() external payable {}

    /// @dev As an address without code, which this account was: whoever calls it with data is not refused.
    fallback() external payable {}

    /// @notice As of a Safe: the module makes a call from the account.
    /// @param operation 0, a call.
    function execTransactionFromModuleReturnData(address to, uint256 value, bytes calldata data, uint8 operation)
        external
        returns (bool success, bytes memory returnData)
    {
        if (msg.sender != MODULE) revert OnlyModule();
        if (operation != 0) revert OnlyCalls();
        (success, returnData) = to.call{value: value}(data);
    }

    /// @notice As of a Safe: reverts unless the account's key signed `digest`.
    /// @param signatures r, s, v with v 27 or 28: what the key signed as a message of text (EIP-191) is no operation.
    function checkSignatures(bytes32 digest, bytes calldata, bytes calldata signatures) external view {
        if (!_isSigned(digest, signatures)) revert WrongSignature();
    }

    /// @notice As of a Safe.
    function isModuleEnabled(address module) external view returns (bool) {
        return module == MODULE;
    }

    /// @notice ERC-1271: who asks contracts in place of recovering the key gets the key's own signatures accepted.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        return _isSigned(hash, signature) ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }

    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IERC165).interfaceId || interfaceId == type(IERC721Receiver).interfaceId
            || interfaceId == type(IERC1155Receiver).interfaceId || interfaceId == type(IERC1271).interfaceId;
    }

    function _isSigned(bytes32 hash, bytes calldata signature) private view returns (bool) {
        (address recovered, ECDSA.RecoverError failure,) = ECDSA.tryRecoverCalldata(hash, signature);
        return failure == ECDSA.RecoverError.NoError && recovered == address(this);
    }
}
