import { spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';

export const CHART = 'deploy/helm/passerelle';

/** The required values of the chart. */
export const LEAST = {
  baseUrl: 'https://listings.example.org',
  trustProxy: ['10.0.0.0/8', 'fd00::/8'],
  database: { host: 'db.internal' },
  media: { none: true },
  secrets: { existingSecret: 'passerelle' },
};

export interface Template {
  metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
  spec: Pod;
}

export interface Pod {
  terminationGracePeriodSeconds?: number;
  containers: {
    name: string;
    command: string[];
    env: { name: string; value: string }[];
    ports: { name: string; containerPort: number }[];
  }[];
  volumes: { name: string; secret?: { items: { path: string }[] } }[];
}

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec?: { template?: Template };
}

export function templateOf(objects: readonly KubernetesObject[], component: string): Template {
  const one = objects.find(({ metadata, spec }) => metadata.name.endsWith(`-${component}`) && spec?.template);
  return one!.spec!.template!;
}

export function podOf(objects: readonly KubernetesObject[], component: string): Pod {
  return templateOf(objects, component).spec;
}

/** Rendered text per set of values. The cache saves time because helm needs half a second per call. */
const texts = new Map<string, string>();

export function rendered(values: object): KubernetesObject[] {
  const input = JSON.stringify(values);
  let text = texts.get(input);
  if (text === undefined) {
    const { status, stdout, stderr } = helm(['template', 'r', CHART, '--values', '-'], values);
    if (status !== 0) throw new Error(stderr);
    texts.set(input, (text = stdout));
  }
  return parseAllDocuments(text).flatMap((document) => (document.toJS() as KubernetesObject | null) ?? []);
}

export function helm(args: string[], values: object): { status: number | null; stdout: string; stderr: string } {
  return spawnSync('helm', args, { input: JSON.stringify(values), encoding: 'utf8' });
}
