// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// Keeps a tenth: of what arrives, or on top of what is sent.
contract FeeToken is ERC20("Fee", "FEE") {
    bool public onTop;

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function setOnTop(bool onTop_) external {
        onTop = onTop_;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        _burn(msg.sender, amount / 10);
        return super.transfer(to, onTop ? amount : amount - amount / 10);
    }
}

/// Answers a transfer as it is told to, and moves the tokens all the same.
contract OddToken is ERC20("Odd", "ODD") {
    bytes public answer;
    bool public moves = true;

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function set(bytes calldata answer_, bool moves_) external {
        answer = answer_;
        moves = moves_;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (moves) super.transfer(to, amount);
        bytes memory data = answer;
        assembly {
            return(add(data, 0x20), mload(data))
        }
    }
}
