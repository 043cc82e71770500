import { normalizeSuiAddress } from '@mysten/sui/utils';
import type { Argument, CallArg, Command, Program } from './program.ts';

const systemPackage = normalizeSuiAddress('0x2');

/**
 * The service signs as the owner of the gas coin, and what a transaction does with that coin beside
 * paying, the network allows: a sender may split it, merge into it or give it away. So no command
 * names it, and nothing is withdrawn from the sponsor. Other objects of the sponsor are out of
 * reach: inputs that are owned belong to the sender, or the network refuses them. Nor does a
 * command make another key one of the wallet's (address aliases), which would outlast whoever asks
 * for it.
 * @throws TypeError with the rest of a sentence about the transaction
 */
export function checkSponsored({ inputs, commands }: Program): void {
  for (const [index, input] of inputs.entries()) checkInput(input, index);
  for (const [index, command] of commands.entries()) {
    if (command.Publish || command.Upgrade)
      throw new TypeError(
        `publishes a package in command ${index + 1}: what it is kept for is not paid by the service`,
      );
    const { package: framework, module } = command.MoveCall ?? {};
    if (
      module === 'address_alias' &&
      framework !== undefined &&
      normalizeSuiAddress(framework) === systemPackage
    )
      throw new TypeError(
        `calls address_alias in command ${index + 1}: a wallet keeps its own key alone`,
      );
    if (argumentsOf(command).some((argument) => argument.GasCoin))
      throw new TypeError(
        `uses the gas coin in command ${index + 1}, which is the service's: name coins of the wallet`,
      );
  }
}

function checkInput({ FundsWithdrawal }: CallArg, index: number): void {
  if (FundsWithdrawal && !FundsWithdrawal.withdrawFrom.Sender)
    throw new TypeError(
      `withdraws from somebody else's balance in input ${index + 1}: name the sender's`,
    );
}

/** Of every command there is: one that is not known here is refused, and not let through unread. */
function argumentsOf(command: Command): readonly Argument[] {
  if (command.MoveCall) return command.MoveCall.arguments;
  if (command.TransferObjects)
    return [...command.TransferObjects.objects, command.TransferObjects.address];
  if (command.SplitCoins) return [command.SplitCoins.coin, ...command.SplitCoins.amounts];
  if (command.MergeCoins) return [command.MergeCoins.destination, ...command.MergeCoins.sources];
  if (command.MakeMoveVec) return command.MakeMoveVec.elements;
  throw new TypeError('has a command that is not known here');
}
