/** Apart from the commands, which bring their areas with them: help is to come at once. */
export const approvalPageUsage = `purser approval-page show            how the page looks on which users of a project approve
purser approval-page set             change what is named; "" takes it away
    [--name N]                      whose page it is
    [--logo-file F | --logo U]      a picture (png, jpg, webp, svg; 48 KB), or its address
    [--accent #0a6b57] [--accent-dark #5fd3b5]   of buttons and links
    [--frame-origins a,b]           pages that may show it inside of theirs, e.g. https://shop.example
    [--passkey-domain D]            the domain that the users' passkeys are for
    [--note …]                      why, for the audit log
Options: [--project <id>] [--json]`;
