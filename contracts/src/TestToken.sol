// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ShortString, ShortStrings} from "@openzeppelin/contracts/utils/ShortStrings.sol";

/// @title A stablecoin for local chains and test networks: ERC-20, 6 decimals, minted by its owner.
/// @dev Names and owner are immutables, so the deployed code copied to another address is a whole token there.
contract TestToken is ERC20 {
    using ShortStrings for *;

    ShortString private immutable NAME;
    ShortString private immutable SYMBOL;
    address public immutable OWNER;

    error OnlyOwner();

    /// @param name_ At most 31 bytes.
    /// @param symbol_ At most 31 bytes.
    constructor(string memory name_, string memory symbol_, address owner) ERC20("", "") {
        NAME = name_.toShortString();
        SYMBOL = symbol_.toShortString();
        OWNER = owner;
    }

    function mint(address to, uint256 amount) external {
        if (msg.sender != OWNER) revert OnlyOwner();
        _mint(to, amount);
    }

    function name() public view override returns (string memory) {
        return NAME.toString();
    }

    function symbol() public view override returns (string memory) {
        return SYMBOL.toString();
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }
}
