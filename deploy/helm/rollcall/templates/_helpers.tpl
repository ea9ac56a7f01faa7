{{- define "rollcall.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "rollcall.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "rollcall.backupSelector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}-backup
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "rollcall.labels" -}}
{{ include "rollcall.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "rollcall.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Whether there may be several pods; empty if not. */}}
{{- define "rollcall.several" -}}
{{- if or .Values.autoscaling.enabled (gt (int .Values.replicaCount) 1) -}}
several
{{- end -}}
{{- end -}}

{{/* For whatever runs the image: a backup seals, and a restore knows its keys, as the service does. */}}
{{- define "rollcall.env" -}}
- name: ROLLCALL_PUBLIC_URL
  value: {{ .Values.publicUrl | quote }}
- name: ROLLCALL_TRUST_PROXY
  value: {{ .Values.trustProxy | quote }}
- name: ROLLCALL_SHUTDOWN_DELAY
  value: {{ printf "%ds" (int .Values.shutdown.delaySeconds) }}
- name: ROLLCALL_SHUTDOWN_TIMEOUT
  value: {{ printf "%ds" (int .Values.shutdown.timeoutSeconds) }}
{{- if .Values.metrics.enabled }}
- name: ROLLCALL_METRICS_PORT
  value: '9100'
- name: ROLLCALL_METRICS_HOST
  value: 0.0.0.0
{{- end }}
{{- if .Values.console.enabled }}
- name: ROLLCALL_CONSOLE_PORT
  value: '9090'
{{- with .Values.console.url }}
- name: ROLLCALL_CONSOLE_HOST
  value: 0.0.0.0
- name: ROLLCALL_CONSOLE_URL
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: ROLLCALL_{{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- range concat .Values.secretKeys (keys .Values.extraSecrets | sortAlpha) }}
- name: ROLLCALL_{{ . }}_FILE
  value: /run/secrets/rollcall/{{ . }}
{{- end }}
{{- with .Values.extraEnv }}
{{- toYaml . | nindent 0 }}
{{- end }}
{{- end -}}

{{- define "rollcall.volumeMounts" -}}
- name: state
  mountPath: /var/lib/rollcall
- name: tmp
  mountPath: /tmp
{{- if or .Values.secretKeys .Values.extraSecrets }}
- name: secrets
  mountPath: /run/secrets/rollcall
  readOnly: true
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{- toYaml . | nindent 0 }}
{{- end }}
{{- end -}}

{{/* But for the state. */}}
{{- define "rollcall.volumes" -}}
# Lists of users that are piped into a command, while it runs. In memory, a full one evicts no pod.
- name: tmp
  emptyDir:
    medium: Memory
    sizeLimit: 64Mi
{{- if or .Values.secretKeys .Values.extraSecrets }}
- name: secrets
  projected:
    # For the group of fsGroup.
    defaultMode: 0440
    sources:
      {{- if .Values.secretKeys }}
      - secret:
          name: {{ .Values.secretName }}
          items:
            {{- range .Values.secretKeys }}
            - key: {{ . }}
              path: {{ . }}
            {{- end }}
      {{- end }}
      {{- range $setting, $from := .Values.extraSecrets }}
      - secret:
          name: {{ $from.secretName }}
          items:
            - key: {{ $from.key }}
              path: {{ $setting }}
      {{- end }}
{{- end }}
{{- with .Values.extraVolumes }}
{{- toYaml . | nindent 0 }}
{{- end }}
{{- end -}}

{{- define "rollcall.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "rollcall.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "rollcall.pod" -}}
metadata:
  labels:
    {{- include "rollcall.labels" . | nindent 4 }}
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .Values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  # The delay, then the requests in flight, and some time to close the database.
  terminationGracePeriodSeconds: {{ add .Values.shutdown.delaySeconds .Values.shutdown.timeoutSeconds 10 }}
  securityContext:
    {{- include "rollcall.podSecurity" . | nindent 4 }}
  {{- if .Values.extraVolumeMounts }}
  initContainers:
    # For a mount of yours below the data folder the runtime would make that folder, as another user's.
    - name: data-folder
      image: {{ include "rollcall.image" . }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      command: [node, -e, "fs.mkdirSync('/var/lib/rollcall/data', { recursive: true, mode: 0o700 })"]
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      securityContext:
        {{- include "rollcall.containerSecurity" . | nindent 8 }}
      volumeMounts:
        - name: state
          mountPath: /var/lib/rollcall
  {{- end }}
  containers:
    - name: rollcall
      image: {{ include "rollcall.image" . }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      env:
        {{- include "rollcall.env" . | nindent 8 }}
      ports:
        - name: http
          containerPort: 8080
        {{- if .Values.metrics.enabled }}
        - name: metrics
          containerPort: 9100
        {{- end }}
        {{- if and .Values.console.enabled .Values.console.url }}
        - name: console
          containerPort: 9090
        {{- end }}
      # Migrating a large database takes its time; the service listens when it is done.
      startupProbe:
        httpGet:
          path: /livez
          port: http
        periodSeconds: 2
        failureThreshold: 300
      livenessProbe:
        httpGet:
          path: /livez
          port: http
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 3
      readinessProbe:
        httpGet:
          path: /readyz
          port: http
        periodSeconds: 5
        # The answer takes 8 s at most, while a database says nothing.
        timeoutSeconds: 10
        failureThreshold: 1
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      securityContext:
        {{- include "rollcall.containerSecurity" . | nindent 8 }}
      volumeMounts:
        {{- include "rollcall.volumeMounts" . | nindent 8 }}
  volumes:
    {{- if eq .Values.database "postgres" }}
    - name: state
      emptyDir:
        sizeLimit: 128Mi
    {{- end }}
    {{- include "rollcall.volumes" . | nindent 4 }}
  {{- if include "rollcall.several" . }}
  affinity:
    podAntiAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
        - weight: 100
          podAffinityTerm:
            topologyKey: kubernetes.io/hostname
            labelSelector:
              matchLabels:
                {{- include "rollcall.selector" . | nindent 16 }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: topology.kubernetes.io/zone
      # A zone that is lost, or has no room, keeps no pod from starting.
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "rollcall.selector" . | nindent 10 }}
  {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
