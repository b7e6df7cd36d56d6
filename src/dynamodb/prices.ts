/** Where and when these prices held: it is told wherever they are shown. */
export const PRICE_REGION_AND_DATE = 'us-east-1, late 2025'

export const READ_MILLION_DOLLARS = 0.125
export const WRITE_MILLION_DOLLARS = 0.625
export const READ_CAPACITY_HOUR_DOLLARS = 0.00013
export const WRITE_CAPACITY_HOUR_DOLLARS = 0.00065
export const STORAGE_GIGABYTE_MONTH_DOLLARS = 0.25
/** Storage, not requests, counts this for every item and every entry of an index. */
export const STORED_ITEM_BYTES = 100

export const MONTH_HOURS = 730
export const HOUR_SECONDS = 3600
