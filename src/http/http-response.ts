/** A response before it has an identifier, a checksum and a length. */
export interface HttpResponse {
  readonly status: number
  /** Absent for pages that are not JSON. */
  readonly contentType: string | undefined
  readonly text: string
}
