import type { SandboxValues } from '../http/reference/sandboxes-page.ts';
import { sandboxCards } from '../providers/card/index.ts';
import { sandboxNames } from '../providers/kyc/sandbox.ts';
import { sandboxScripts } from '../providers/payout/sandbox-script.ts';

const effectOfName: Readonly<Record<keyof typeof sandboxNames, string>> = {
  refuse: 'Rejected.',
  review: 'People look at it: decide on the page of the sandbox.',
  slow: 'Verified after a minute.',
  document: 'Asks for an id; verified once a new one was uploaded and the check was started again.',
  address: 'Asks for a proof of address.',
  page: 'Asks on the page of the sandbox, and decides by what is entered there.',
  untaken: 'The company does not take what it is given.',
};

/** What the stand-ins of companies do with which value: their own tables. */
export function sandboxValues(): SandboxValues[] {
  return [
    {
      title: 'Cards',
      intro: 'Entered on the payment page, with any date to come and any security code.',
      guide: 'cards',
      rows: Object.values(sandboxCards).map(
        ({ number, what }) => [number.replaceAll(/(\d{4})(?=\d)/g, '$1 '), what] as const,
      ),
    },
    {
      title: 'Bank accounts',
      intro:
        'The last digits of the account number, IBAN or CLABE (there before the check digit) of a payout.',
      guide: 'payouts',
      rows: sandboxScripts.map(
        ({ digits, does }) =>
          [digits === '' ? 'any other number' : `…1111${digits}`, does] as const,
      ),
    },
    {
      title: 'People',
      intro:
        'A first or last name, in any case, of a person who is verified. Any other name passes.',
      guide: 'identity',
      rows: Object.entries(sandboxNames).map(
        ([kind, name]) => [name, effectOfName[kind as keyof typeof sandboxNames]] as const,
      ),
    },
  ];
}
