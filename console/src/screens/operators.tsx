import type { OperatorLine } from '../api.ts';
import { List } from '../list.tsx';
import { useMe } from '../me.ts';
import { Badge, Command, Head, When } from '../ui.tsx';

export function Operators() {
  const me = useMe();
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
                  {project === '*' ? ' of every project' : ` of ${me.projects.find(({ id }) => id === project)?.name ?? project}`}
                </span>
              )),
          },
          { title: 'Passkeys', kind: 'num', of: ({ passkeys }) => passkeys.length },
          { title: 'Sessions', kind: 'num', of: ({ sessions }) => sessions },
          { title: 'Since', of: ({ createdAt }, now) => <When at={createdAt} now={now} /> },
        ]}
      />
      <p className="below faint">
        Somebody leaves, or has lost a device: <Command>purser operators revoke "Ada Lovelace" --note "left"</Command>
      </p>
    </>
  );
}
