{{/* The addresses in a list of masters, sorted and without passwords. */}}
{{- define "quorumlock.addresses" -}}
{{- regexReplaceAll "rediss?://([^,]*@)?" (. | replace " " "") "" | splitList "," | sortAlpha | join "," -}}
{{- end }}

{{/* The list of masters in a secret of the cluster. Empty without access to it. */}}
{{- define "quorumlock.nodesInSecret" -}}
{{- $secret := lookup "v1" "Secret" .namespace .name | default dict -}}
{{- get ($secret.data | default dict) "nodes" | b64dec -}}
{{- end }}

{{- define "quorumlock.nodesAfterUpgrade" -}}
{{- if .Values.masters.enabled -}}
{{- include "quorumlock.nodes" . -}}
{{- else if .Values.externalMasters.urls -}}
{{- join "," .Values.externalMasters.urls -}}
{{- else -}}
{{- include "quorumlock.nodesInSecret" (dict "namespace" .Release.Namespace "name" .Values.externalMasters.existingSecret) -}}
{{- end -}}
{{- end }}

{{/*
Replicas with different masters do not exclude each other. The Deployment is found by its labels, because its name may
have changed. Without access to the cluster nothing is checked.
*/}}
{{- define "quorumlock.checkUpgrade" -}}
{{- if .Release.IsUpgrade -}}
{{- $new := include "quorumlock.addresses" (include "quorumlock.nodesAfterUpgrade" .) -}}
{{- $selector := include "quorumlock.selector" . | fromYaml -}}
{{- $found := lookup "apps/v1" "Deployment" .Release.Namespace "" | default dict -}}
{{- range $deployment := $found.items | default list -}}
{{- $labels := $deployment.metadata.labels | default dict -}}
{{- $status := $deployment.status | default dict -}}
{{- $running := or $deployment.spec.replicas $status.replicas -}}
{{- if and $running (deepEqual $selector (pick $labels "app.kubernetes.io/name" "app.kubernetes.io/instance")) -}}
{{- range $deployment.spec.template.spec.containers -}}
{{- range .env -}}
{{- if eq .name "QUORUMLOCK_NODES" -}}
{{- $nodes := .value -}}
{{- if .valueFrom -}}
{{- $nodes = include "quorumlock.nodesInSecret" (dict "namespace" $.Release.Namespace "name" .valueFrom.secretKeyRef.name) -}}
{{- end -}}
{{- $old := include "quorumlock.addresses" ($nodes | default "") -}}
{{- if and $old $new (ne $old $new) -}}
{{- fail (printf "the masters would change from %s to %s while Deployment %s has replicas, so that two clients could hold one lock: stop all replicas and sidecars with the old values and replicas=0, wait longer than the longest TTL, and upgrade again" $old $new $deployment.metadata.name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}
