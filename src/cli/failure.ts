/** What a command could not do, in words for whoever ran it. */
export class Failure extends Error {}
