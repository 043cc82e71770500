// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// Takes any call and does something unpleasant with it.
contract Hostile {
    enum Mode {
        Accept,
        EatGas,
        RevertBomb,
        ReturnBomb,
        RevertWithReason,
        Reenter,
        ReenterAndRevert
    }

    Mode public mode;
    address public target;
    bytes public payload;
    uint256 public bombLength;
    uint256 public reentered;
    uint256 public reentrySucceeded;

    error Unpleasant(uint256 value);

    function setMode(Mode mode_, uint256 bombLength_) external {
        mode = mode_;
        bombLength = bombLength_;
    }

    function setReentry(Mode mode_, address target_, bytes calldata payload_) external {
        mode = mode_;
        target = target_;
        payload = payload_;
    }

    /// Acts as somebody else's contract towards `to`.
    function forward(address to, bytes calldata data) external returns (bool success, bytes memory returned) {
        (success, returned) = to.call(data);
    }

    /// Runs somebody else's code as its own.
    function delegate(address to, bytes calldata data) external returns (bool success, bytes memory returned) {
        (success, returned) = to.delegatecall(data);
    }

    function act() public payable {
        if (mode == Mode.EatGas) {
            while (true) {}
        } else if (mode == Mode.RevertBomb) {
            uint256 length = bombLength;
            assembly {
                revert(0, length)
            }
        } else if (mode == Mode.ReturnBomb) {
            uint256 length = bombLength;
            assembly {
                return(0, length)
            }
        } else if (mode == Mode.RevertWithReason) {
            revert Unpleasant(42);
        } else if (mode == Mode.Reenter || mode == Mode.ReenterAndRevert) {
            reentered++;
            (bool success,) = target.call(payload);
            if (success) reentrySucceeded++;
            if (mode == Mode.ReenterAndRevert) revert Unpleasant(7);
        }
    }

    fallback() external payable {
        act();
    }

    receive() external payable {
        act();
    }
}

/// A token that calls its hook in the middle of a transfer, or answers false instead of reverting.
contract HostileToken is ERC20("Hostile", "HOST") {
    address public hook;
    bool public answersFalse;

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function setHook(address hook_) external {
        hook = hook_;
    }

    function setAnswersFalse(bool answersFalse_) external {
        answersFalse = answersFalse_;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (answersFalse) return false;
        if (hook != address(0)) Hostile(payable(hook)).act();
        return super.transfer(to, amount);
    }
}

/// Pretends to be a Safe: names the right singleton and accepts every signature.
contract FakeSafe {
    address private constant SINGLETON = 0x41675C099F32341bf84BFc5382aF534df5C7461a;

    enum Mode {
        Accept,
        EatGasInMasterCopy,
        RevertBombInCheck,
        EatGasInCheck,
        ReturnGarbage,
        ReturnBomb,
        RefuseWithBomb,
        ReturnShort
    }

    Mode public mode;
    uint256 public calls;

    constructor(Mode mode_) {
        mode = mode_;
    }

    function masterCopy() external view returns (address) {
        if (mode == Mode.EatGasInMasterCopy) while (true) {}
        return SINGLETON;
    }

    function checkSignatures(bytes32, bytes calldata, bytes calldata) external view {
        if (mode == Mode.EatGasInCheck) while (true) {}
        if (mode == Mode.RevertBombInCheck) {
            assembly {
                revert(0, 200000)
            }
        }
    }

    function execTransactionFromModuleReturnData(address, uint256, bytes calldata, uint8)
        external
        returns (bool, bytes memory)
    {
        calls++;
        if (mode == Mode.ReturnGarbage) {
            assembly {
                mstore(0, 2)
                mstore(32, not(0))
                mstore(64, not(0))
                return(0, 96)
            }
        }
        if (mode == Mode.ReturnShort) {
            assembly {
                mstore(0, 1)
                return(0, 32)
            }
        }
        if (mode == Mode.RefuseWithBomb) {
            assembly {
                revert(4096, 580)
            }
        }
        if (mode == Mode.ReturnBomb) {
            assembly {
                mstore(0, 1)
                mstore(32, 64)
                mstore(64, 300000)
                return(0, 300096)
            }
        }
        return (true, "");
    }
}

/// An owner that is a contract: signs for whoever names it, or tries to use being asked.
contract ContractOwner {
    bool public signs;
    address public target;
    bytes public payload;

    function set(bool signs_, address target_, bytes calldata payload_) external {
        signs = signs_;
        target = target_;
        payload = payload_;
    }

    function isValidSignature(bytes calldata, bytes calldata) external returns (bytes4) {
        // Asked in a static call, so nothing that is called here may change anything.
        if (target != address(0)) {
            (bool success,) = target.call(payload);
            require(!success, "re-entered while a signature was checked");
        }
        return signs ? bytes4(0x20c13b0b) : bytes4(0);
    }
}
