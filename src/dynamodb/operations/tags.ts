import type { Tag } from './tables.js'

export interface TagResourceRequest {
  ResourceArn: string
  Tags: Tag[]
}

export type TagResourceAnswer = object

export interface UntagResourceRequest {
  ResourceArn: string
  TagKeys: string[]
}

export type UntagResourceAnswer = object

export interface ListTagsOfResourceRequest {
  ResourceArn: string
  NextToken?: string | undefined
}

/** As the AWS SDK's, whose members may be undefined. */
export interface DescribedTag {
  Key: string | undefined
  Value: string | undefined
}

export interface ListTagsOfResourceAnswer {
  Tags?: DescribedTag[] | undefined
  NextToken?: string | undefined
}
