# bare_debian.sh: sourced by tests, at the kit's top. bash.
#
#   bare_debian FOLDER     a bare Debian in $run, where nothing of the kit is; it goes when the test
#                          ends. FOLDER keeps what it is copied from for the next time. Needs root,
#                          debootstrap, and the archive that this Debian installs from: minutes.
#                          Where there is none, the test ends with 77
#   inside COMMAND...      runs it in there, as root, with none of this machine's environment
skip() { echo "$*: not tested"; exit 77; }

bare_debian()
{
    local folder=$1 base=$1/base archive part device
    run=$folder/run.$$
    [ "$(id -u)" = 0 ] || skip 'only root can make a Debian'
    command -v debootstrap >/dev/null || skip 'no debootstrap (Debian: debootstrap)'
    . /etc/os-release
    archive=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources 2>/dev/null | head -n 1)
    [ "$ID" = debian ] && [ -n "$archive" ] || skip 'this is no Debian with a debian.sources'
    if [ ! -e "$folder/made" ]; then
        rm -rf --one-file-system "$base"
        mkdir -p "$folder"
        debootstrap --variant=minbase --include=ca-certificates "$VERSION_CODENAME" "$base" \
            "$archive" >"$folder/log" 2>&1 ||
            skip "no Debian from $archive ($(tail -n 1 "$folder/log"))"
        touch "$folder/made"
    fi
    trap 'umount "$run/proc" 2>/dev/null || true; rm -rf --one-file-system "$run"' EXIT
    cp -a "$base" "$run"
    # as this machine reaches the archive
    cp /etc/apt/sources.list.d/debian.sources "$run/etc/apt/sources.list.d/"
    rm -f "$run/etc/apt/sources.list"
    for part in apt.conf.d auth.conf.d; do
        cp -r "/etc/apt/$part/." "$run/etc/apt/$part/" 2>/dev/null || true
    done
    cp -r /etc/ssl/certs/. "$run/etc/ssl/certs/"
    cp -L /etc/resolv.conf /etc/hosts "$run/etc/"
    for device in 'null c 1 3' 'zero c 1 5' 'urandom c 1 9'; do
        [ -c "$run/dev/${device%% *}" ] || mknod -m 666 "$run/dev/"$device
    done
    mount -t proc proc "$run/proc"
}

inside()
{
    local proxy
    proxy=$(env | grep -iE '^(https?|no)_proxy=') || true
    env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 $proxy chroot "$run" "$@"
}
