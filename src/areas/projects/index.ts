export { createProject, listProjects, requireProject } from './projects.ts';
export type { IssuerAlgorithm, Project, TrustedIssuer } from './store.ts';
export { issuerAlgorithms } from './store.ts';
export { type AddTrustedIssuerInput, addTrustedIssuer, listTrustedIssuers, removeTrustedIssuer } from './trusted-issuers.ts';
export { createUserJwtCheck, type JwtUser, type UserJwtCheck } from './user-jwt.ts';
