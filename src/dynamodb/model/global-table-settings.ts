import { GLOBAL_INDEXES, REPLICA_SETTINGS, SCALING_POLICY_NAME_CHARACTERS, SCALING_ROLE_CHARACTERS } from '../limits.js'
import { max, min, pattern } from './constraints.js'
import { NAME_RULES } from './members.js'
import { boolean, double, integer, list, long, required, structure, text } from './shapes.js'
import { billingMode, tableClass } from './tables.js'

const name = required(text(...NAME_RULES))
const units = long(min(1))

/** Java takes the surrogates in it for what they make in pairs, which is so here only in the mode for Unicode. */
const ROLE_PATTERN = String.raw`[\u0020-\uD7FF\uE000-\uFFFD\uD800\uDC00-\uDBFF\uDFFF\r\n\t]*`

/** How capacity is to follow what is used, of a table or an index, to read or to write. */
export const scaling = structure('AutoScalingSettingsUpdate', {
  MinimumUnits: units,
  MaximumUnits: units,
  AutoScalingDisabled: boolean,
  AutoScalingRoleArn: text(
    min(1),
    max(SCALING_ROLE_CHARACTERS),
    pattern(ROLE_PATTERN, new RegExp(`^${ROLE_PATTERN}$`, 'u')),
  ),
  ScalingPolicyUpdate: structure('AutoScalingPolicyUpdate', {
    PolicyName: text(min(1), max(SCALING_POLICY_NAME_CHARACTERS), pattern(String.raw`\p{Print}+`, /^[ -~]+$/)),
    TargetTrackingScalingPolicyConfiguration: required(
      structure('AutoScalingTargetTrackingScalingPolicyConfigurationUpdate', {
        DisableScaleIn: boolean,
        ScaleInCooldown: integer(),
        ScaleOutCooldown: integer(),
        TargetValue: required(double),
      }),
    ),
  }),
})

export const describeGlobalTableSettings = structure('DescribeGlobalTableSettingsInput', { GlobalTableName: name })
export const updateGlobalTableSettings = structure('UpdateGlobalTableSettingsInput', {
  GlobalTableName: name,
  GlobalTableBillingMode: billingMode,
  GlobalTableProvisionedWriteCapacityUnits: units,
  GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate: scaling,
  GlobalTableGlobalSecondaryIndexSettingsUpdate: list(
    structure('GlobalTableGlobalSecondaryIndexSettingsUpdate', {
      IndexName: name,
      ProvisionedWriteCapacityUnits: units,
      ProvisionedWriteCapacityAutoScalingSettingsUpdate: scaling,
    }),
    min(1),
    max(GLOBAL_INDEXES),
  ),
  ReplicaSettingsUpdate: list(
    structure('ReplicaSettingsUpdate', {
      RegionName: required(text()),
      ReplicaProvisionedReadCapacityUnits: units,
      ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate: scaling,
      ReplicaGlobalSecondaryIndexSettingsUpdate: list(
        structure('ReplicaGlobalSecondaryIndexSettingsUpdate', {
          IndexName: name,
          ProvisionedReadCapacityUnits: units,
          ProvisionedReadCapacityAutoScalingSettingsUpdate: scaling,
        }),
        min(1),
        max(GLOBAL_INDEXES),
      ),
      ReplicaTableClass: tableClass,
    }),
    min(1),
    max(REPLICA_SETTINGS),
  ),
})
