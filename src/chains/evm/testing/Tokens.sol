// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// @dev The part of ERC-721 that a transfer needs.
contract Pictures {
    string public constant name = "Pictures";
    string public constant symbol = "PIC";
    mapping(uint256 => address) private _owners;

    error ERC721NonexistentToken(uint256 tokenId);
    error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner);

    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == 0x01ffc9a7 || interfaceId == 0x80ac58cd;
    }

    function mint(address to, uint256 id) external {
        _owners[id] = to;
    }

    function ownerOf(uint256 id) public view returns (address) {
        if (_owners[id] == address(0)) revert ERC721NonexistentToken(id);
        return _owners[id];
    }

    function safeTransferFrom(address from, address to, uint256 id) external {
        if (ownerOf(id) != from || msg.sender != from) revert ERC721IncorrectOwner(from, id, _owners[id]);
        _owners[id] = to;
    }
}

/// @dev The part of ERC-1155 that a transfer needs.
contract Tickets {
    mapping(address => mapping(uint256 => uint256)) public balanceOf;

    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == 0x01ffc9a7 || interfaceId == 0xd9b67a26;
    }

    function mint(address to, uint256 id, uint256 amount) external {
        balanceOf[to][id] += amount;
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes calldata) external {
        require(msg.sender == from, "not the owner");
        balanceOf[from][id] -= amount;
        balanceOf[to][id] += amount;
    }
}

/// @dev Says false instead of reverting, as tokens from before ERC-20 was settled do.
contract OldToken {
    mapping(address => uint256) public balanceOf;
    bytes32 public constant symbol = "OLD";
    bytes32 public constant name = "Old Token";
    uint256 public constant decimals = 18;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function transfer(address, uint256) external pure returns (bool) {
        return false;
    }
}

/// @dev Does to its readers what it can. `behaviour` of the storage slot: 0 burns all gas, 1 answers kilobytes, 2 calls
///      itself like the dollar coin and hides characters in its name.
contract HostileToken {
    uint256 public behaviour;

    function setBehaviour(uint256 value) external {
        behaviour = value;
    }

    function decimals() external view returns (uint256) {
        return behaviour == 2 ? 6 : _misbehave();
    }

    function symbol() external view returns (string memory) {
        if (behaviour != 2) _misbehave();
        return unicode"USDC";
    }

    function name() external view returns (string memory) {
        if (behaviour != 2) _misbehave();
        return unicode"USD\u202e\u200b Coin";
    }

    function balanceOf(address) external view returns (uint256) {
        return behaviour == 2 ? 77 : _misbehave();
    }

    function _misbehave() private view returns (uint256 sum) {
        if (behaviour == 1) {
            assembly {
                return(0, 0x4000)
            }
        }
        while (true) ++sum;
    }
}

interface IPaid {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// @dev A token of its own kinds that is sold for others: one call moves money of every kind.
contract Market {
    string public constant symbol = "POINT";
    string public constant name = "Points";
    uint8 public constant decimals = 2;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);

    error SoldOut(uint256 left);

    /// Takes tokens, gives points and three tickets of id 7, and sends half of the value back.
    function buy(address token, uint256 amount) external payable {
        require(IPaid(token).transferFrom(msg.sender, address(this), amount));
        emit Transfer(address(0), msg.sender, amount * 2);
        emit TransferSingle(msg.sender, address(0), msg.sender, 7, 3);
        (bool sent,) = msg.sender.call{value: msg.value / 2}("");
        require(sent);
    }

    /// Logs transfers that never were, of everybody's money.
    function boast(address victim, uint256 count) external {
        for (uint256 i = 0; i < count; ++i) {
            emit Transfer(victim, address(this), 1);
            emit TransferSingle(msg.sender, victim, address(this), i, 1);
        }
    }

    function fail() external pure {
        revert SoldOut(3);
    }
}
