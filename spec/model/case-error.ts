/** A case that cannot be run as it is written. Those of the suite are checked before it is published, a user's own are not. */
export class CaseError extends TypeError {}
