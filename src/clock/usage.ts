/** Apart from the commands, which bring their areas with them: help is to come at once. */
export const clockUsage = `purser clock [show]                 the service's time, in development
purser clock advance <length>       let time pass for service, vault and local chains: 30s, 90m, 12h, 3d, 1d12h`;
