/**
 * The service has two validators of requests and is moving its operations from the older to the current one. Both refuse
 * the same requests in different words. The older validator names the expression value at fault and reads numbers as
 * Java's BigDecimal does. It still validates Scan in most regions, batches of writes, transactions, and the few requests
 * for which the current validator has no form.
 */
export type ValidatorLayer = 'current' | 'older'
