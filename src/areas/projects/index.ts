export { issuersCommand, issuersUsage, projectsCommand, projectsUsage, tokenCommand, tokenUsage } from './command.ts';
export { type DevelopmentKey, ensureDevelopmentIssuer, signDevelopmentToken } from './development-issuer.ts';
export { createProject, listProjects, type ProjectsCtx, requireProject } from './projects.ts';
export { createHashUser, type HashUser, insertSignOuts, signOut } from './sign-outs.ts';
export type { IssuerAlgorithm, ListedIssuer, Project, TrustedIssuer } from './store.ts';
export { issuerAlgorithms, sealedIssuer, sealedIssuers, selectIssuersOf } from './store.ts';
export { type AddTrustedIssuerInput, addTrustedIssuer, listTrustedIssuers, removeTrustedIssuer } from './trusted-issuers.ts';
export { createUserJwtCheck, type JwtUser, type UserJwtCheck } from './user-jwt.ts';
