/** The region and date of these prices. Every display of a price states them. */
export const PRICE_REGION_AND_DATE = 'us-east-1, late 2025'

export const READ_MILLION_DOLLARS = 0.125
export const WRITE_MILLION_DOLLARS = 0.625
export const READ_CAPACITY_HOUR_DOLLARS = 0.00013
export const WRITE_CAPACITY_HOUR_DOLLARS = 0.00065
export const STORAGE_GIGABYTE_MONTH_DOLLARS = 0.25
/** Storage counts this overhead for every item and every index entry; requests do not. */
export const STORED_ITEM_BYTES = 100

export const MONTH_HOURS = 730
export const HOUR_SECONDS = 3600
