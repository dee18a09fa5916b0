struct Point {
    int x;
    double weight;
};
int use_from_another_file();
