export {
  issuersCommand,
  issuersUsage,
  projectsCommand,
  projectsUsage,
  tokenCommand,
  tokenUsage,
} from './command.ts';
export { type DevelopmentKey } from './development-issuer.ts';
export { createProject, listProjects, type ProjectsCtx, requireProject } from './projects.ts';
export { issuerRules } from './rules.ts';
export { createHashUser, type HashUser, insertSignOuts, signOut } from './sign-outs.ts';
export type { ListedIssuer, Project } from './store.ts';
export { sealedIssuer, sealedIssuers, selectIssuersOf } from './store.ts';
export { addTrustedIssuer, listTrustedIssuers, removeTrustedIssuer } from './trusted-issuers.ts';
export { createUserJwtCheck, type JwtUser, type UserJwtCheck } from './user-jwt.ts';
