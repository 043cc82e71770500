// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// @dev Who may mint, and whether anybody may now: a closed collection refuses every mint.
abstract contract Minted {
    address public immutable OWNER;
    bool public closed;

    error OnlyOwner();
    error Closed();

    constructor(address owner) {
        OWNER = owner;
    }

    function setClosed(bool closed_) external {
        if (msg.sender != OWNER) revert OnlyOwner();
        closed = closed_;
    }

    function _requireOpen() internal view {
        if (msg.sender != OWNER) revert OnlyOwner();
        if (closed) revert Closed();
    }
}

/// @title A collection for local chains and test networks: ERC-721, the next id is minted by its owner.
contract TestPictures is ERC721("Test pictures", "TPIC"), Minted {
    uint256 public minted;

    constructor(address owner) Minted(owner) {}

    function mintTo(address to) external returns (uint256 id) {
        _requireOpen();
        id = ++minted;
        _safeMint(to, id);
    }

    function tokenURI(uint256 id) public view override returns (string memory) {
        _requireOwned(id);
        return string.concat('data:application/json,{"name":"Test picture ', Strings.toString(id), '"}');
    }
}

/// @title Editions for local chains and test networks: ERC-1155, minted by their owner.
contract TestEditions is ERC1155('data:application/json,{"name":"Test edition"}'), Minted {
    constructor(address owner) Minted(owner) {}

    function mint(address to, uint256 id, uint256 amount, bytes calldata data) external {
        _requireOpen();
        _mint(to, id, amount, data);
    }
}
