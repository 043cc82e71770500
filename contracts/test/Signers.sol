// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A wallet of somebody else: signs with its key (ERC-1271), or misbehaves when it is asked.
contract ContractSigner {
    enum Mode {
        Honest,
        Yes,
        No,
        Revert,
        EatGas,
        ShortAnswer,
        LegacyAnswer,
        LongAnswer
    }

    address public immutable KEY;
    Mode public mode;

    constructor(address key) {
        KEY = key;
    }

    function setMode(Mode mode_) external {
        mode = mode_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (mode == Mode.Yes) return 0x1626ba7e;
        if (mode == Mode.No) return 0xffffffff;
        if (mode == Mode.Revert) revert("not today");
        if (mode == Mode.EatGas) while (true) {}
        if (mode == Mode.LegacyAnswer) return 0x20c13b0b;
        if (mode == Mode.ShortAnswer) {
            assembly {
                mstore(0, shl(224, 0x1626ba7e))
                return(0, 4)
            }
        }
        if (mode == Mode.LongAnswer) {
            assembly {
                mstore(0, shl(224, 0x1626ba7e))
                return(0, 300000)
            }
        }
        (bytes32 r, bytes32 s) = abi.decode(signature[:64], (bytes32, bytes32));
        return ecrecover(hash, uint8(signature[64]), r, s) == KEY ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}
