import { useQuery } from '@tanstack/react-query';
import { get, type Me, type OperatorLine, type Page } from '../api.ts';
import { Badge, Command, Loading, Problem, useNow, When } from '../ui.tsx';

export function Operators({ me }: { readonly me: Me }) {
  const now = useNow();
  const list = useQuery({ queryKey: ['operators'], queryFn: () => get<Page<OperatorLine>>('/operators') });
  return (
    <>
      <header className="head">
        <div>
          <h1>Operators</h1>
          <p className="faint">Who may look, and who may decide. A link is shown once, to whoever invites at the command line.</p>
        </div>
        <Command>purser operators invite "Ada Lovelace" --role support</Command>
      </header>
      {list.isError ? (
        <Problem error={list.error} retry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Loading />
      ) : (
        <div className="scroll">
          <table>
            <thead>
              <tr>
                <th>Name</th>
                <th>Status</th>
                <th>Roles</th>
                <th className="num">Passkeys</th>
                <th className="num">Sessions</th>
                <th>Since</th>
              </tr>
            </thead>
            <tbody>
              {list.data.items.map((one) => (
                <tr key={one.id}>
                  <td data-label="Name">
                    {one.name}
                    {one.id === me.id && <small className="faint under">you</small>}
                  </td>
                  <td data-label="Status">
                    <Badge>{one.status}</Badge>
                    {one.invitedUntil !== undefined && (
                      <small className="faint under">
                        link ends <When at={one.invitedUntil} now={now} />
                      </small>
                    )}
                  </td>
                  <td data-label="Roles">
                    {Object.entries(one.roles).map(([project, role]) => (
                      <span key={project} className="change">
                        {role}
                        {project === '*' ? ' of every project' : ` of ${me.projects.find(({ id }) => id === project)?.name ?? project}`}
                      </span>
                    ))}
                  </td>
                  <td className="num" data-label="Passkeys">
                    {one.passkeys.length}
                  </td>
                  <td className="num" data-label="Sessions">
                    {one.sessions}
                  </td>
                  <td data-label="Since">
                    <When at={one.createdAt} now={now} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p className="below faint">
        Somebody leaves, or has lost a device: <Command>purser operators revoke "Ada Lovelace" --note "left"</Command>
      </p>
    </>
  );
}
