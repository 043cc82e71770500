// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// What ERC-721 logs and answers. Anybody mints, each id with metadata of its own.
contract Pictures {
    mapping(uint256 => address) public ownerOf;
    mapping(uint256 => string) public tokenURI;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    function mint(address to, uint256 id, string calldata uri) external {
        require(ownerOf[id] == address(0), "minted already");
        tokenURI[id] = uri;
        ownerOf[id] = to;
        emit Transfer(address(0), to, id);
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(ownerOf[id] == from && from == msg.sender, "not yours");
        ownerOf[id] = to;
        emit Transfer(from, to, id);
    }
}

/// What ERC-1155 logs and answers.
contract Editions {
    mapping(uint256 => mapping(address => uint256)) private _amounts;
    string private _uri;

    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
    event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values);

    function mint(address to, uint256[] calldata ids, uint256[] calldata amounts, string calldata newUri) external {
        _uri = newUri;
        for (uint256 i = 0; i < ids.length; ++i) _amounts[ids[i]][to] += amounts[i];
        if (ids.length == 1) emit TransferSingle(msg.sender, address(0), to, ids[0], amounts[0]);
        else emit TransferBatch(msg.sender, address(0), to, ids, amounts);
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes calldata) external {
        require(from == msg.sender, "not yours");
        _amounts[id][from] -= amount;
        _amounts[id][to] += amount;
        emit TransferSingle(msg.sender, from, to, id, amount);
    }

    function uri(uint256) external view returns (string memory) {
        return _uri;
    }
}
