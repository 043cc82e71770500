// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Call} from "./Call.sol";
import {Epochs} from "./Epochs.sol";

/// @title Who else may act for a wallet, when, and within which limits.
/// @notice Not externally audited.
/// @dev Written by the wallet alone, which is by operations of its admin: a delegate's call can never reach this contract.
///      What an earlier registration of a signer left behind is keyed with its generation and is never found again.
abstract contract DelegatedSigners is Epochs {
    /// Times are inclusive, in seconds. Without scopes a signer may do everything but manage the wallet.
    /// `generation` counts the registrations and removals of the id, `epoch` is the wallet's when it was registered.
    struct Signer {
        uint48 validAfter;
        uint48 validUntil;
        uint32 generation;
        uint32 epoch;
        uint8 scopeCount;
        bool active;
    }

    /// Plain transfers of one token; the zero address is the chain's own currency.
    struct Scope {
        address token;
        uint32 interval;
        uint16 recipientCount;
    }

    /// A window starts with its first spend and lasts for the scope's interval.
    struct Budget {
        uint112 limit;
        uint112 spent;
        uint32 windowStart;
    }

    /// `recipients` empty: to anybody. `limit` in the token's smallest unit per `interval` seconds, which 0 makes for ever;
    /// the greatest uint112 is no limit.
    struct NewScope {
        address token;
        uint112 limit;
        uint32 interval;
        address[] recipients;
    }

    /// `available` now. `windowEnd` is the first second of which the whole limit is available again; 0 when it is now,
    /// the greatest uint256 when it never is.
    struct ScopeState {
        address token;
        uint112 limit;
        uint32 interval;
        uint16 recipientCount;
        uint256 available;
        uint256 windowEnd;
    }

    /// What a budget was before a call spent from it.
    struct Spent {
        bytes32 scopeKey;
        uint112 spent;
        uint32 windowStart;
    }

    uint112 private constant UNLIMITED = type(uint112).max;
    uint256 private constant SCOPES_MAX = type(uint8).max;
    uint256 private constant RECIPIENTS_MAX = type(uint16).max;

    /// Selector, recipient, amount: a transfer is that and nothing behind it.
    uint256 private constant TRANSFER_LENGTH = 68;

    mapping(address wallet => mapping(bytes32 signerId => Signer signer)) private _signers;
    /// By wallet, signer id, generation and index, see `_scopeRoot` and `_scopeKey`.
    mapping(bytes32 scopeKey => Scope scope) private _scopes;
    mapping(bytes32 scopeKey => Budget budget) private _budgets;
    mapping(bytes32 scopeKey => mapping(address recipient => bool listed)) private _recipients;

    event SignerAdded(
        address indexed wallet,
        bytes32 indexed signerId,
        uint32 generation,
        uint48 validAfter,
        uint48 validUntil,
        NewScope[] scopes
    );
    event SignerRemoved(address indexed wallet, bytes32 indexed signerId, uint32 generation);

    error UnknownSigner(address wallet, bytes32 signerId);
    /// The signer was registered or removed since this registration was signed.
    error WrongGeneration(bytes32 signerId, uint32 expected, uint32 actual);
    error SignerNotYetValid(bytes32 signerId, uint48 validAfter);
    error SignerExpired(bytes32 signerId, uint48 validUntil);
    /// The id 0 is the admin, and a signer has to be valid at some time.
    error InvalidSigner();
    error TooManyScopes();
    /// A scope of the wallet itself or of this contract.
    error ForbiddenToken(address token);
    /// A delegate may not call the wallet, this contract, or another module of the wallet.
    error ForbiddenTarget(uint256 callIndex, address target);
    /// A signer with scopes names one per call, another names none.
    error ScopesMismatch(uint256 expected, uint256 named);
    error UnknownScope(uint256 callIndex, uint256 scopeIndex);
    /// The call is not a plain transfer of the scope's token.
    error NotATransfer(uint256 callIndex, address token);
    error ForbiddenRecipient(uint256 callIndex, address recipient);
    error SpendingLimitExceeded(uint256 callIndex, uint256 amount, uint256 available);

    /// @notice Called by a wallet: lets a signer act for it. One that is registered already is replaced: its scopes, and
    ///         what it spent, count no more.
    /// @param expectedGeneration What `signerOf` says before: one that was signed earlier does not undo a removal.
    function addSigner(
        bytes32 signerId,
        uint32 expectedGeneration,
        uint48 validAfter,
        uint48 validUntil,
        NewScope[] calldata newScopes
    ) external {
        if (signerId == 0 || validAfter > validUntil) revert InvalidSigner();
        if (newScopes.length > SCOPES_MAX) revert TooManyScopes();
        Signer storage signer = _signers[msg.sender][signerId];
        uint32 generation = signer.generation;
        if (generation != expectedGeneration) revert WrongGeneration(signerId, expectedGeneration, generation);
        ++generation;
        signer.validAfter = validAfter;
        signer.validUntil = validUntil;
        signer.generation = generation;
        signer.epoch = _epochs[msg.sender];
        signer.scopeCount = uint8(newScopes.length);
        signer.active = true;
        bytes32 root = _scopeRoot(msg.sender, signerId, generation);
        for (uint256 i = 0; i < newScopes.length; ++i) {
            _addScope(_scopeKey(root, i), newScopes[i]);
        }
        emit SignerAdded(msg.sender, signerId, generation, validAfter, validUntil, newScopes);
    }

    /// @notice Called by a wallet: the signer may do nothing from now on.
    function removeSigner(bytes32 signerId) external {
        Signer storage signer = _signers[msg.sender][signerId];
        if (!signer.active || signer.epoch != _epochs[msg.sender]) revert UnknownSigner(msg.sender, signerId);
        uint32 generation = signer.generation + 1;
        signer.generation = generation;
        signer.active = false;
        emit SignerRemoved(msg.sender, signerId, generation);
    }

    /// @notice How a signer is registered; `active` is false when it is not, or not in this epoch. Its times are not looked at.
    function signerOf(address wallet, bytes32 signerId)
        external
        view
        returns (Signer memory signer, ScopeState[] memory scopes)
    {
        signer = _signers[wallet][signerId];
        signer.active = signer.active && signer.epoch == _epochs[wallet];
        scopes = new ScopeState[](signer.active ? signer.scopeCount : 0);
        bytes32 root = _scopeRoot(wallet, signerId, signer.generation);
        for (uint256 i = 0; i < scopes.length; ++i) {
            bytes32 key = _scopeKey(root, i);
            Scope memory scope = _scopes[key];
            Budget memory budget = _budgets[key];
            uint256 spent = _spentNow(budget, scope.interval);
            scopes[i] = ScopeState({
                token: scope.token,
                limit: budget.limit,
                interval: scope.interval,
                recipientCount: scope.recipientCount,
                available: budget.limit - spent,
                windowEnd: spent == 0 ? 0 : _windowEnd(budget, scope.interval)
            });
        }
    }

    /// @notice Whether the list of a registered signer's scope has all of `recipients`.
    function areRecipients(address wallet, bytes32 signerId, uint256 scopeIndex, address[] calldata recipients)
        external
        view
        returns (bool)
    {
        bytes32 key = _scopeKey(_scopeRoot(wallet, signerId, _signers[wallet][signerId].generation), scopeIndex);
        for (uint256 i = 0; i < recipients.length; ++i) {
            if (!_recipients[key][recipients[i]]) return false;
        }
        return true;
    }

    /// @dev Reverts unless the signer is registered and in its time.
    /// @return scopeCount 0: it has none, and may do everything but manage the wallet.
    /// @return scopeRoot What the keys of its scopes are made from, when it has any.
    /// @return epoch What its operations have to name: that of the wallet, then its own generation.
    function _requireSigner(address wallet, bytes32 signerId)
        internal
        view
        returns (uint256 scopeCount, bytes32 scopeRoot, uint64 epoch)
    {
        Signer storage signer = _signers[wallet][signerId];
        if (!signer.active || signer.epoch != _epochs[wallet]) revert UnknownSigner(wallet, signerId);
        if (block.timestamp < signer.validAfter) revert SignerNotYetValid(signerId, signer.validAfter);
        if (block.timestamp > signer.validUntil) revert SignerExpired(signerId, signer.validUntil);
        scopeCount = signer.scopeCount;
        uint32 generation = signer.generation;
        if (scopeCount != 0) scopeRoot = _scopeRoot(wallet, signerId, generation);
        epoch = uint64(signer.epoch) << 32 | generation;
    }

    /// @return How often the signer was registered and removed; of the admin 0.
    function _generationOf(address wallet, bytes32 signerId) internal view returns (uint32) {
        return _signers[wallet][signerId].generation;
    }

    function _isUnscopedSigner(address wallet, bytes32 signerId) internal view returns (bool) {
        Signer memory signer = _signers[wallet][signerId];
        return signer.active && signer.epoch == _epochs[wallet] && signer.scopeCount == 0 && block.timestamp >= signer.validAfter
            && block.timestamp <= signer.validUntil;
    }

    /// @dev Whoever may call the wallet as itself, this contract or another module can make itself the admin.
    function _requireTargets(address wallet, Call[] calldata calls) internal view {
        for (uint256 i = 0; i < calls.length; ++i) {
            address target = calls[i].to;
            if (target == wallet || target == address(this) || _isModule(wallet, target)) {
                revert ForbiddenTarget(i, target);
            }
        }
    }

    /// @dev Holds each call against the scope that is named for it and takes its amount from the budget, before any of them
    ///      runs: whoever is called and comes back finds it taken.
    /// @return spent What `_restoreBudgets` needs when the calls fail.
    function _spend(uint256 scopeCount, bytes32 scopeRoot, Call[] calldata calls, bytes calldata scopeIndexes)
        internal
        returns (Spent[] memory spent)
    {
        if (scopeIndexes.length != calls.length) revert ScopesMismatch(calls.length, scopeIndexes.length);
        spent = new Spent[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            uint256 index = uint8(scopeIndexes[i]);
            if (index >= scopeCount) revert UnknownScope(i, index);
            bytes32 key = _scopeKey(scopeRoot, index);
            Scope memory scope = _scopes[key];
            (address recipient, uint256 amount) = _readTransfer(i, calls[i], scope.token);
            if (scope.recipientCount != 0 && !_recipients[key][recipient]) revert ForbiddenRecipient(i, recipient);
            spent[i] = _takeFromBudget(i, key, scope.interval, amount);
        }
    }

    /// @dev Only right after the calls failed and all they did was undone: then the budgets are as `_spend` left them.
    function _restoreBudgets(Spent[] memory spent) internal {
        for (uint256 i = spent.length; i > 0; --i) {
            Spent memory before = spent[i - 1];
            if (before.scopeKey == 0) continue;
            Budget storage budget = _budgets[before.scopeKey];
            budget.spent = before.spent;
            budget.windowStart = before.windowStart;
        }
    }

    function _addScope(bytes32 key, NewScope calldata newScope) private {
        address token = newScope.token;
        if (token == msg.sender || token == address(this)) revert ForbiddenToken(token);
        address[] calldata recipients = newScope.recipients;
        if (recipients.length > RECIPIENTS_MAX) revert TooManyScopes();
        _scopes[key] = Scope(token, newScope.interval, uint16(recipients.length));
        _budgets[key].limit = newScope.limit;
        for (uint256 i = 0; i < recipients.length; ++i) {
            _recipients[key][recipients[i]] = true;
        }
    }

    /// @dev A window is open when something was spent in it: an amount of nought opens none.
    function _takeFromBudget(uint256 callIndex, bytes32 key, uint32 interval, uint256 amount)
        private
        returns (Spent memory before)
    {
        Budget memory budget = _budgets[key];
        if (budget.limit == UNLIMITED) return before;
        before = Spent(key, budget.spent, budget.windowStart);
        uint256 spent = _spentNow(budget, interval);
        uint256 available = budget.limit - spent;
        if (amount > available) revert SpendingLimitExceeded(callIndex, amount, available);
        if (spent == 0) budget.windowStart = uint32(block.timestamp);
        budget.spent = uint112(spent + amount);
        _budgets[key] = budget;
    }

    /// @dev What the current window has seen: nothing when it is over.
    function _spentNow(Budget memory budget, uint32 interval) private view returns (uint256) {
        return block.timestamp < _windowEnd(budget, interval) ? budget.spent : 0;
    }

    function _windowEnd(Budget memory budget, uint32 interval) private pure returns (uint256) {
        return interval == 0 ? type(uint256).max : uint256(budget.windowStart) + interval;
    }

    /// @dev The recipient's word must be an address: what a token makes of other bytes is its own affair.
    function _readTransfer(uint256 callIndex, Call calldata call, address token)
        private
        pure
        returns (address recipient, uint256 amount)
    {
        bytes calldata data = call.data;
        if (token == address(0)) {
            if (data.length != 0 || call.value == 0) revert NotATransfer(callIndex, token);
            return (call.to, call.value);
        }
        if (
            call.to != token || call.value != 0 || data.length != TRANSFER_LENGTH
                || bytes4(data) != IERC20.transfer.selector || bytes12(data[4:16]) != 0
        ) revert NotATransfer(callIndex, token);
        return (address(bytes20(data[16:36])), uint256(bytes32(data[36:])));
    }

    /// @dev Of one registration: a later one finds nothing of it.
    function _scopeRoot(address wallet, bytes32 signerId, uint32 generation) private pure returns (bytes32) {
        return keccak256(abi.encode(wallet, signerId, generation));
    }

    function _scopeKey(bytes32 root, uint256 index) private pure returns (bytes32 key) {
        assembly ("memory-safe") {
            mstore(0, root)
            mstore(0x20, index)
            key := keccak256(0, 0x40)
        }
    }
}
