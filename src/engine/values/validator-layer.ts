/**
 * The validator of a request. The service has two and is moving its operations from the older to the current one. Both
 * reject the same requests with different messages. The older validator names the invalid expression value and reads
 * numbers like Java's BigDecimal. It still validates Scan in most regions, batch writes, transactions, and the few
 * requests that the current validator does not support.
 */
export type ValidatorLayer = 'current' | 'older'
