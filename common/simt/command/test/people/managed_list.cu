// expect: right
// manner: managed memory
#include <cstdio>
#include <new>
class Managed
{
  public:
    void *operator new(size_t len)
    {
        void *ptr;
        cudaMallocManaged(&ptr, len);
        cudaDeviceSynchronize();
        return ptr;
    }
    void operator delete(void *ptr)
    {
        cudaDeviceSynchronize();
        cudaFree(ptr);
    }
};
struct Node : public Managed {
    int key, value;
    Node *next;
};
class List : public Managed
{
  public:
    Node *head = nullptr;
    int length = 0;
    void push(int k, int v)
    {
        Node *n = new Node;
        n->key = k;
        n->value = v;
        n->next = head;
        head = n;
        length++;
    }
    ~List()
    {
        while (head) {
            Node *n = head->next;
            delete head;
            head = n;
        }
    }
};
__global__ void look_up(const List *list, const int *keys, int *values, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    values[i] = -1;
    for (const Node *p = list->head; p; p = p->next)
        if (p->key == keys[i]) {
            values[i] = p->value;
            return;
        }
}
__global__ void double_all(List *list)
{
    for (Node *p = list->head; p; p = p->next)
        p->value *= 2;
}
int main()
{
    List *list = new List;
    for (int i = 0; i < 20; i++)
        list->push(3 * i, i * i);
    int *keys, *values, wrong = 0;
    cudaMallocManaged(&keys, 60 * sizeof(int));
    cudaMallocManaged(&values, 60 * sizeof(int));
    for (int i = 0; i < 60; i++)
        keys[i] = i;
    double_all<<<1, 1>>>(list);
    look_up<<<1, 64>>>(list, keys, values, 60);
    cudaDeviceSynchronize();
    for (int i = 0; i < 60; i++)
        wrong += values[i] != (i % 3 ? -1 : 2 * (i / 3) * (i / 3));
    cudaFree(keys);
    cudaFree(values);
    delete list;
    puts(wrong ? "FAIL" : "PASS");
}
