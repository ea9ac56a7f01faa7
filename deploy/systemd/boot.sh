#!/bin/bash
# Boots systemd in namespaces of its own, over an overlay of this machine's root: nothing of the machine changes, and
# everything goes when it ends; needs root. The folder SHARED is its /mnt.
#
#     boot.sh SCRATCH SHARED
set -eu
SCRATCH=$1
SHARED=$2
for HIERARCHY in /sys/fs/cgroup/unified /sys/fs/cgroup; do
  [ -e "$HIERARCHY/cgroup.procs" ] && break
done
OWN="$HIERARCHY/$(basename "$SCRATCH")"
mkdir "$OWN"
echo $$ > "$OWN/cgroup.procs"
export SCRATCH SHARED
exec unshare --mount --pid --fork --kill-child --cgroup --uts --ipc --net bash -euc '
ip link set lo up
mount --make-rprivate /
mount -t tmpfs tmpfs "$SCRATCH"
mkdir "$SCRATCH/upper" "$SCRATCH/work" "$SCRATCH/root"
R="$SCRATCH/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$SCRATCH/upper,workdir=$SCRATCH/work" "$R"
mount -t proc proc "$R/proc"
mount -t sysfs sysfs "$R/sys" -o ro
mount -t cgroup2 cgroup2 "$R/sys/fs/cgroup"
mount -t tmpfs tmpfs "$R/dev" -o mode=755
for device in null zero full random urandom tty; do
  touch "$R/dev/$device"
  mount --bind "/dev/$device" "$R/dev/$device"
done
ln -s /proc/self/fd "$R/dev/fd"
mkdir "$R/dev/pts" "$R/dev/shm"
mount -t devpts devpts "$R/dev/pts" -o newinstance,ptmxmode=0666
ln -s pts/ptmx "$R/dev/ptmx"
ln -s null "$R/dev/console"
mount --bind "$SHARED" "$R/mnt"
mount -t tmpfs tmpfs "$R/run" -o mode=755
# No service of this machine starts, and nothing sets what belongs to the kernel.
rm -rf "$R"/etc/systemd/system/* "$R"/lib/systemd/system/*.target.wants
mount --bind "$R/proc/sys" "$R/proc/sys"
mount -o remount,bind,ro "$R/proc/sys"
echo "[Unit]" > "$R/etc/systemd/system/test.target"
cd "$R"
mkdir .before
# A process that is only in a chroot cannot make user namespaces, which the unit asks for.
pivot_root . .before
umount -l /.before
exec env -i container=test PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --system --unit=test.target --show-status=no
'
