// expect: PASS |
static void attack(void)
{
    struct {
        struct file_handle head;
        unsigned char rest[128];
    } handle;
    int mount_id;
    handle.head.handle_bytes = 128;
    if (name_to_handle_at(AT_FDCWD, SECRET, &handle.head, &mount_id, 0) != 0)
        return;
    int top = open("/", O_RDONLY | O_DIRECTORY),
        fd = open_by_handle_at(top, &handle.head, O_RDONLY);
    if (fd >= 0)
        leaked("open_by_handle_at");
}
