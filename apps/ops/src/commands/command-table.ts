import type { Command } from 'commander';
import type { CommandContext } from '../command-context';

export type CommandTable = readonly (LazyCommand | CommandGroup)[];

interface LazyCommand {
  name: string;
  load(): Promise<(parent: Command, context: CommandContext) => void>;
}

interface CommandGroup {
  name: string;
  /** For `--help`. */
  sentence: string;
  example: string;
  commands: CommandTable;
}

/** Every command, in the order of the help. Each is loaded on first use, so that the command line starts fast. */
export const COMMANDS: CommandTable = [
  { name: 'status', load: async () => (await import('./status.ts')).addStatus },
  { name: 'doctor', load: async () => (await import('./doctor.ts')).addDoctor },
  {
    name: 'gateway',
    sentence: 'Adds, shows and changes gateways.',
    example: 'gateway list',
    commands: [
      { name: 'add', load: async () => (await import('./gateway-add.ts')).addGatewayAdd },
      { name: 'list', load: async () => (await import('./gateway-show.ts')).addGatewayList },
      { name: 'show', load: async () => (await import('./gateway-show.ts')).addGatewayShow },
      { name: 'set', load: async () => (await import('./gateway-set.ts')).addGatewaySet },
      { name: 'enable', load: async () => (await import('./gateway-enable.ts')).addGatewayEnable },
      { name: 'disable', load: async () => (await import('./gateway-enable.ts')).addGatewayDisable },
      { name: 'rotate-key', load: async () => (await import('./gateway-rotate-key.ts')).addGatewayRotateKey },
      { name: 'revoke-key', load: async () => (await import('./gateway-rotate-key.ts')).addGatewayRevokeKey },
      {
        name: 'export-token',
        sentence: 'Makes, lists and revokes tokens for exports.',
        example: 'gateway export-token list --crm kyero --client agence-du-port',
        commands: [
          { name: 'make', load: async () => (await import('./export-token.ts')).addExportTokenMake },
          { name: 'list', load: async () => (await import('./export-token.ts')).addExportTokenList },
          { name: 'revoke', load: async () => (await import('./export-token.ts')).addExportTokenRevoke },
        ],
      },
      { name: 'snapshots', load: async () => (await import('./gateway-revert.ts')).addGatewaySnapshots },
      { name: 'revert', load: async () => (await import('./gateway-revert.ts')).addGatewayRevert },
      { name: 'release', load: async () => (await import('./gateway-revert.ts')).addGatewayRelease },
      { name: 'export', load: async () => (await import('./gateway-move.ts')).addGatewayExport },
      { name: 'import', load: async () => (await import('./gateway-move.ts')).addGatewayImport },
      { name: 'remove', load: async () => (await import('./gateway-remove.ts')).addGatewayRemove },
    ],
  },
  { name: 'pause', load: async () => (await import('./pause.ts')).addPause },
  { name: 'resume', load: async () => (await import('./pause.ts')).addResume },
  { name: 'pauses', load: async () => (await import('./pause.ts')).addPauses },
  { name: 'ingest', load: async () => (await import('./ingest.ts')).addIngest },
  { name: 'retry', load: async () => (await import('./retry.ts')).addRetry },
  { name: 'runs', load: async () => (await import('./runs.ts')).addRuns },
  {
    name: 'run',
    sentence: 'Shows one run, and decides about it.',
    example: 'run show 12',
    commands: [
      { name: 'show', load: async () => (await import('./run.ts')).addRunShow },
      { name: 'publish', load: async () => (await import('./run.ts')).addRunPublish },
      { name: 'publish-all', load: async () => (await import('./run.ts')).addRunPublishAll },
      { name: 'discard', load: async () => (await import('./run.ts')).addRunDiscard },
      { name: 'cancel', load: async () => (await import('./run.ts')).addRunCancel },
    ],
  },
  {
    name: 'webhook',
    sentence: 'Shows and changes the webhooks of a gateway.',
    example: 'webhook list --crm kyero --client agence-du-port',
    commands: [
      { name: 'add', load: async () => (await import('./webhook.ts')).addWebhookAdd },
      { name: 'list', load: async () => (await import('./webhook.ts')).addWebhookList },
      { name: 'remove', load: async () => (await import('./webhook.ts')).addWebhookRemove },
      { name: 'rotate', load: async () => (await import('./webhook.ts')).addWebhookRotate },
      { name: 'replay', load: async () => (await import('./webhook.ts')).addWebhookReplay },
      { name: 'test', load: async () => (await import('./webhook.ts')).addWebhookTest },
    ],
  },
  {
    name: 'call-address',
    sentence: 'Shows and changes the addresses that the CRM of a gateway calls.',
    example: 'call-address list --crm propstack --client agentur',
    commands: [
      { name: 'open', load: async () => (await import('./call-address.ts')).addCallAddressOpen },
      { name: 'list', load: async () => (await import('./call-address.ts')).addCallAddressList },
      { name: 'close', load: async () => (await import('./call-address.ts')).addCallAddressClose },
    ],
  },
  {
    name: 'notify',
    sentence: 'Shows and changes the notifications to operators.',
    example: 'notify channel list',
    commands: [
      {
        name: 'channel',
        sentence: 'Shows and changes the channels: e-mail, Slack, Teams and webhooks.',
        example: 'notify channel list',
        commands: [
          { name: 'add', load: async () => (await import('./notify.ts')).addNotifyChannelAdd },
          { name: 'list', load: async () => (await import('./notify.ts')).addNotifyChannelList },
          { name: 'remove', load: async () => (await import('./notify.ts')).addNotifyChannelRemove },
          { name: 'test', load: async () => (await import('./notify.ts')).addNotifyChannelTest },
        ],
      },
      {
        name: 'rule',
        sentence: 'Shows and changes the rules for what is sent to each channel.',
        example: 'notify rule list',
        commands: [
          { name: 'add', load: async () => (await import('./notify.ts')).addNotifyRuleAdd },
          { name: 'list', load: async () => (await import('./notify.ts')).addNotifyRuleList },
          { name: 'remove', load: async () => (await import('./notify.ts')).addNotifyRuleRemove },
        ],
      },
    ],
  },
  {
    name: 'placement',
    sentence: 'Adds, shows and changes exports to portals.',
    example: 'placement list',
    commands: [
      { name: 'add', load: async () => (await import('./placement.ts')).addPlacementAdd },
      { name: 'list', load: async () => (await import('./placement.ts')).addPlacementList },
      { name: 'show', load: async () => (await import('./placement.ts')).addPlacementShow },
      { name: 'set', load: async () => (await import('./placement.ts')).addPlacementSet },
      { name: 'pause', load: async () => (await import('./placement.ts')).addPlacementPause },
      { name: 'resume', load: async () => (await import('./placement.ts')).addPlacementResume },
      { name: 'approve', load: async () => (await import('./placement.ts')).addPlacementApprove },
      { name: 'remove', load: async () => (await import('./placement.ts')).addPlacementRemove },
      { name: 'preview', load: async () => (await import('./placement-preview.ts')).addPlacementPreview },
    ],
  },
  {
    name: 'publication',
    sentence: 'Shows adverts at portals, and sends or withdraws them.',
    example: 'publication list --state refused',
    commands: [
      { name: 'list', load: async () => (await import('./publication.ts')).addPublicationList },
      { name: 'retry', load: async () => (await import('./publication.ts')).addPublicationRetry },
      { name: 'withdraw', load: async () => (await import('./publication.ts')).addPublicationWithdraw },
    ],
  },
  { name: 'rejections', load: async () => (await import('./rejections.ts')).addRejections },
  { name: 'why', load: async () => (await import('./why.ts')).addWhy },
  {
    name: 'operator',
    sentence: 'Adds and changes the operators who may sign in to the console.',
    example: 'operator list',
    commands: [
      { name: 'add', load: async () => (await import('./operator.ts')).addOperatorAdd },
      { name: 'list', load: async () => (await import('./operator.ts')).addOperatorList },
      { name: 'passwd', load: async () => (await import('./operator.ts')).addOperatorPasswd },
      { name: 'link', load: async () => (await import('./operator.ts')).addOperatorLink },
      { name: 'role', load: async () => (await import('./operator.ts')).addOperatorRole },
      { name: 'remove', load: async () => (await import('./operator.ts')).addOperatorRemove },
      { name: 'enable', load: async () => (await import('./operator.ts')).addOperatorEnable },
      { name: 'disable', load: async () => (await import('./operator.ts')).addOperatorDisable },
    ],
  },
  { name: 'backup', load: async () => (await import('./backup.ts')).addBackup },
  { name: 'restore', load: async () => (await import('./backup.ts')).addRestore },
  { name: 'rekey', load: async () => (await import('./rekey.ts')).addRekey },
  { name: 'connectors', load: async () => (await import('./connectors.ts')).addConnectors },
];
