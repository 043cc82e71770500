import type { OperatorLine } from '../api.ts';
import { List } from '../list.tsx';
import { useMe } from '../me.ts';
import { Badge, Command, Head, When } from '../ui.tsx';
import { Decisions } from './decide.tsx';

export function Operators() {
  const me = useMe();
  // A decision stands in a project: any does, since operators belong to all.
  const projectId = me.projects[0]?.id;
  return (
    <>
      <Head
        title="Operators"
        about="Who may look, and who may decide. A link is shown once, to whoever invites at the command line."
        command={'purser operators invite "Ada Lovelace" --role support'}
      />
      <List<OperatorLine>
        label="Operators"
        path="/operators"
        keyOf={({ id }) => id}
        empty={{ title: 'Nobody yet', text: 'Invite somebody at the command line.' }}
        columns={[
          {
            title: 'Name',
            of: ({ id, name }) => (
              <>
                {name}
                {id === me.id && <small className="faint under">you</small>}
              </>
            ),
          },
          {
            title: 'Status',
            of: ({ status, invitedUntil }, now) => (
              <>
                <Badge>{status}</Badge>
                {invitedUntil !== undefined && (
                  <small className="faint under">
                    link ends <When at={invitedUntil} now={now} />
                  </small>
                )}
              </>
            ),
          },
          {
            title: 'Roles',
            of: ({ roles }) =>
              Object.entries(roles).map(([project, role]) => (
                <span key={project} className="change">
                  {role}
                  {project === '*'
                    ? ' of every project'
                    : ` of ${me.projects.find(({ id }) => id === project)?.name ?? project}`}
                </span>
              )),
          },
          { title: 'Passkeys', kind: 'num', of: ({ passkeys }) => passkeys.length },
          { title: 'Sessions', kind: 'num', of: ({ sessions }) => sessions },
          {
            title: 'What can be done',
            of: ({ id, name, sessions }) =>
              sessions > 0 && projectId !== undefined ? (
                <Decisions
                  projectId={projectId}
                  subject={name}
                  decisions={[
                    {
                      rule: 'operators.sign-out',
                      label: 'Sign out',
                      effect: `No money moves. ${sessions === 1 ? 'The session' : `All ${sessions} sessions`} of ${name} end at once; signing in again is possible.`,
                      params: { operatorId: id },
                    },
                  ]}
                />
              ) : (
                '–'
              ),
          },
          { title: 'Since', of: ({ createdAt }, now) => <When at={createdAt} now={now} /> },
        ]}
      />
      <p className="below faint">
        Somebody leaves, or has lost a device:{' '}
        <Command>purser operators revoke "Ada Lovelace" --note "left"</Command>
      </p>
    </>
  );
}
