/**
 * The service has two validators of requests, and is on the way from one to the other, operation by operation. They
 * refuse the same, in different words. The older one names the value of an expression that is at fault, and reads
 * numbers as Java's BigDecimal does; batches of writes and transactions are still its own, and so are the few requests
 * for which the current one has no form.
 */
export type Layer = 'current' | 'older'
