import { createContext, useContext } from 'react';
import type { Me } from './api.ts';

export const MeContext = createContext<Me | undefined>(undefined);

/** Who is signed in: screens are below the frame, which knows. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('nobody is signed in');
  return me;
}

/** The project's name; undefined where there is but one, and naming it says nothing. */
export function projectName(me: Me, projectId: string | undefined): string | undefined {
  return me.projects.length > 1 ? me.projects.find(({ id }) => id === projectId)?.name : undefined;
}
